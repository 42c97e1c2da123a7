import type { Command } from '../command.ts';
import { MIGRATION_NAMES } from '../operations/migrate.ts';
import { runOperation } from '../run-operation.ts';
import { runService } from '../serve/run-service.ts';
import { runWorker } from '../serve/run-worker.ts';

export const serviceCommands: Command[] = [
  {
    words: 'serve',
    usage: '',
    help: 'run API and worker until stopped (what npm start does)',
    positionals: 0,
    options: {},
    async run(config) {
      await runService(config);
      return undefined;
    },
  },
  {
    words: 'worker',
    usage: '',
    help: 'run a worker only, beside others on one PostgreSQL',
    positionals: 0,
    options: {},
    async run(config) {
      await runWorker(config);
      return undefined;
    },
  },
  {
    words: 'migrate',
    usage: '',
    help: 'bring the database up to date and stop (a start does it as well)',
    positionals: 0,
    options: {},
    run: (config) => runOperation(config, 'migrate', { migrations: MIGRATION_NAMES }),
  },
];
