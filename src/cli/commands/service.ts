import type { Command } from '../command.ts';
import { runOperation } from '../run-operation.ts';

export const serviceCommands: Command[] = [
  {
    words: 'serve',
    usage: '',
    help: 'run API and worker until stopped (what npm start does)',
    positionals: 0,
    options: {},
    async run(config) {
      const { runService } = await import('../serve/run-service.ts');
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
      const { runWorker } = await import('../serve/run-worker.ts');
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
    async run(config) {
      const { MIGRATION_NAMES } = await import('../operations/migrate.ts');
      return runOperation(config, 'migrate', { migrations: MIGRATION_NAMES });
    },
  },
];
