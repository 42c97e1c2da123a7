import type { Command } from '../command.ts';

export const ledgerCommands: Command[] = [
  {
    words: 'ledger check',
    usage: '',
    help: 'see whether credits and slots add up; fails when they do not',
    positionals: 0,
    options: {},
    run: async (config) => (await import('./check-ledger.ts')).checkWholeLedger(config),
  },
];
