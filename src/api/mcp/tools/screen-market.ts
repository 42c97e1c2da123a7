import { z } from 'zod';
import {
  MAX_SCREENER_CONDITIONS,
  MAX_SCREENER_SYMBOLS,
  SCREENER_FIELD_INFO,
  SCREENER_FIELDS,
  SCREENER_OPS,
} from '../../../contract/index.ts';
import { formatCount } from '../../pages/format.ts';
import { formatTable } from '../csv-rows.ts';
import { cleanOutsideText } from '../outside-text.ts';
import { defineTool } from '../tool.ts';

const MAX_MATCHES = 50;

const FIELDS = SCREENER_FIELDS.map((field) => `${field}: ${SCREENER_FIELD_INFO[field].description}`).join(' ');

const Condition = z.strictObject({
  field: z.enum(SCREENER_FIELDS).describe(FIELDS),
  op: z.enum(SCREENER_OPS),
  value: z
    .union([z.number(), z.array(z.number()).length(2)])
    .optional()
    .describe('A number, or [low, high] for between. Required unless `other_field` is given.'),
  other_field: z.enum(SCREENER_FIELDS).optional().describe('A field to compare with instead of a value.'),
});

/** Lists symbols that meet conditions in the latest session. */
export const screenMarket = defineTool({
  name: 'screen_market',
  title: 'Screen the market',
  description:
    'Lists the stocks that meet conditions on the daily prices of the latest session, such as those that rose by more than 10% in 20 sessions or are above their average of 200. The table is ordered by symbol. It saves nothing. Percentages are in percent: 5 is 5%.',
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    conditions: z.array(Condition).min(1).max(MAX_SCREENER_CONDITIONS),
    combine: z.enum(['all', 'any']).default('all').describe('Whether a stock has to meet all conditions or any.'),
    symbols: z
      .array(z.string().min(1).max(32))
      .min(1)
      .max(MAX_SCREENER_SYMBOLS)
      .optional()
      .describe('The stocks to look at. Default: all that the service knows.'),
    limit: z.int().min(1).max(MAX_MATCHES).default(20),
  }),
  output: z.strictObject({
    session: z
      .string()
      .nullable()
      .describe('The trading day, which can be years ago. Null: no session has been evaluated yet.'),
    total: z.int().describe('Number of all matches. The table has the first of them, by symbol.'),
    matches_csv: z.string().describe('One line for each match: its symbol and the values of the fields.'),
    unknown_symbols: z
      .array(z.string())
      .describe('Symbols of the call that no provider lists, such as misspelled ones.'),
    next_step: z.string(),
  }),
  argumentNames: () => ({ universe: 'symbols', all: 'conditions', any: 'conditions' }),
  async run({ conditions, combine, symbols, limit }, { agent }) {
    const body = { universe: symbols ?? 'all', [combine]: conditions };
    const found = await agent.call('previewScreenerAlert', { body });
    const matches = found.matches.slice(0, limit);
    const names = Object.keys(matches[0]?.values ?? {});
    return {
      summary:
        found.session === null
          ? 'No session has been evaluated yet, so nothing can be screened.'
          : `${formatCount(found.total, 'stock')} met the conditions in the session ${found.session}.`,
      data: {
        session: found.session,
        total: found.total,
        matches_csv: formatTable(
          ['symbol', ...names],
          matches.map(({ symbol, values }) => [
            cleanOutsideText(symbol, 32),
            ...names.map((name) => values[name] ?? ''),
          ]),
        ),
        unknown_symbols: (found.unknown_symbols ?? []).slice(0, MAX_MATCHES),
        next_step:
          found.total > 0
            ? 'Call find_series with a symbol for its handle, then forecast. Narrow the conditions if there are too many matches.'
            : 'Loosen the conditions and call screen_market again.',
      },
    };
  },
});
