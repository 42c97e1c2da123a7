import { z } from 'zod';
import { operations } from '../../contract/index.ts';
import { adminCommand, UsageError } from '../command.ts';

export const screenerCommands = [
  adminCommand({
    name: 'screener run',
    arguments: [],
    options: {
      session: {
        type: 'string',
        value: 'DATE',
        format: 'date',
        isRequired: true,
        help: 'the session, such as 2018-05-11',
      },
      preview: {
        type: 'string',
        value: 'FILTER',
        format: 'JSON',
        help: 'a filter in JSON to evaluate in addition to the saved ones',
      },
      keep: { type: 'boolean', help: 'store the metrics and matches; no email is sent' },
    },
    summary: 'Evaluates the saved filters on a past session.',
    example: 'screener run --session 2018-03-05 --keep',
    input: z.strictObject({
      session: z.iso.date({ error: 'must be a date such as 2018-05-11' }),
      preview: operations.previewScreenerAlert.body.optional(),
      keep: z.boolean().optional(),
    }),
    readInput(_args, { preview, ...values }) {
      return typeof preview === 'string' ? { ...values, preview: parseFilter(preview) } : values;
    },
    async execute(foundation, { session, preview, keep }) {
      const [{ createScreenerRunContext }, { replaySession, runPastSession, toFilterRules }] = await Promise.all([
        import('../../compose/index.ts'),
        import('../../screener/index.ts'),
      ]);
      const runs = createScreenerRunContext(foundation);
      const replay = await replaySession(runs, { session, preview: preview && toFilterRules(preview) });
      return keep ? { ...replay, run: await runPastSession(runs, session) } : replay;
    },
  }),
];

function parseFilter(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      '--preview must be JSON, such as {"universe":"all","all":[{"field":"rsi_14","op":"lt","value":30}]}',
    );
  }
}
