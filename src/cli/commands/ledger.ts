import { z } from 'zod';
import type { checkLedger, MiscountedPayer } from '../../forecasts/index.ts';
import { adminCommand, FailedCheckError } from '../command.ts';

type LedgerReport = Awaited<ReturnType<typeof checkLedger>>;

const loadForecasts = () => import('../../forecasts/index.ts');

export const ledgerCommands = [
  adminCommand({
    name: 'ledger check',
    arguments: [],
    options: {},
    summary: 'Checks that credits and slots add up; fails if they do not.',
    example: 'ledger check',
    input: z.strictObject({}),
    readInput: () => ({}),
    execute: async ({ database }) => (await loadForecasts()).checkLedger(database),
    async checkResult(report) {
      const { isLedgerSound } = await loadForecasts();
      if (isLedgerSound(report as LedgerReport)) return;
      throw new FailedCheckError(report, 'The ledger does not add up. The line on standard output shows where.');
    },
  }),
  adminCommand({
    name: 'storage check',
    arguments: [],
    options: {},
    summary: 'Checks that the counted bytes match what is stored; fails if they do not.',
    example: 'storage check',
    input: z.strictObject({}),
    readInput: () => ({}),
    execute: async ({ database }) => ({ miscounted: await (await loadForecasts()).checkStorage(database) }),
    async checkResult(report) {
      if ((report as { miscounted: readonly MiscountedPayer[] }).miscounted.length === 0) return;
      throw new FailedCheckError(report, 'The counted bytes are wrong. The line on standard output shows whose.');
    },
  }),
];
