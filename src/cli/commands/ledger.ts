import { Fault } from '../../contract/index.ts';
import { type checkLedger, isSound } from '../../jobs/index.ts';
import type { Command } from '../command.ts';
import { runOperation } from '../run-operation.ts';

export const ledgerCommands: Command[] = [
  {
    words: 'ledger check',
    usage: '',
    help: 'see whether credits and slots add up; fails when they do not',
    positionals: 0,
    options: {},
    async run(config) {
      const report = (await runOperation(config, 'ledger check', {})) as Awaited<ReturnType<typeof checkLedger>>;
      if (isSound(report)) return report;
      // A command that fails prints no result by itself, and here the result says what is wrong.
      process.stdout.write(`${JSON.stringify(report)}\n`);
      throw new Fault('INTERNAL', 'The ledger does not add up. The line on standard output says where.');
    },
  },
];
