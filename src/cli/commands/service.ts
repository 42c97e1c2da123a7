import type { LocalCommand } from '../command.ts';

export const serviceCommands: LocalCommand[] = [
  {
    name: 'serve',
    arguments: [],
    options: {},
    summary: 'Runs the API and a worker until the process is stopped; npm start does the same.',
    example: 'serve',
    async run(config) {
      const { runService } = await import('../serve/run-service.ts');
      await runService(config);
      return undefined;
    },
  },
  {
    name: 'worker',
    arguments: [],
    options: {},
    summary: 'Runs a worker without the API; other processes can use the same PostgreSQL database.',
    example: 'worker',
    async run(config) {
      const { runWorker } = await import('../serve/run-service.ts');
      await runWorker(config);
      return undefined;
    },
  },
];
