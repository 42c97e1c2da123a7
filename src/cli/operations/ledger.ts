import { z } from 'zod';
import { checkLedger } from '../../forecasts/index.ts';
import { adminOperation } from './operation.ts';

export const ledgerOperations = {
  'ledger check': adminOperation({
    input: z.strictObject({}),
    run: ({ database }) => checkLedger(database),
  }),
};
