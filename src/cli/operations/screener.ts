import { z } from 'zod';
import { screenerRunsOf } from '../../compose/index.ts';
import { operations } from '../../contract/index.ts';
import { keepSession, replaySession, rulesOf } from '../../screener/index.ts';
import { adminOperation } from './operation.ts';

export const screenerOperations = {
  /** A past session. Mails are sent by the daily run only. */
  'screener run': adminOperation({
    input: z.strictObject({
      session: z.iso.date({ error: 'must be a date such as 2018-05-11' }),
      preview: operations.previewScreenerAlert.body.optional(),
      keep: z.boolean().optional(),
    }),
    async run(foundation, { session, preview, keep }) {
      const runs = screenerRunsOf(foundation, {});
      const replay = await replaySession(runs, { session, preview: preview && rulesOf(preview) });
      return keep ? { ...replay, run: await keepSession(runs, session) } : replay;
    },
  }),
};
