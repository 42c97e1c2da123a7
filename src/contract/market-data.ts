import { z } from 'zod';
import { identifier, instant, text, timestamp } from './fields.ts';
import { operation } from './operation.ts';
import { ok, resource } from './replies.ts';
import {
  ADJUSTMENTS,
  EXPORT_FORMATS,
  HISTORY_LIMITS,
  MARKET_SOURCES,
  PRICE_SIDES,
  QUOTE_SIDES,
  SESSIONS,
  TIMEFRAME_SPELLINGS,
} from './vocabulary.ts';

const Bar = z
  .strictObject({
    timestamp: instant(),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number(),
  })
  .meta({ id: 'Bar' });

export const StockHistoryRequest = z.strictObject({
  symbol: text({ max: 32 }),
  source: z.enum(MARKET_SOURCES).default('auto'),
  timeframe: z.enum(TIMEFRAME_SPELLINGS),
  limit: z.literal(HISTORY_LIMITS).default(500).meta({ type: 'integer' }),
  adjustment: z.enum(ADJUSTMENTS).default('split'),
  format: z.enum(EXPORT_FORMATS).default('json'),
  session: z.enum(SESSIONS).default('regular'),
  price_side: z
    .enum(PRICE_SIDES)
    .optional()
    .describe('Prices of a provider of quotes. Default: its bids. Providers of trades refuse it.'),
  start: timestamp().optional().describe('Returns only bars that begin at or after this instant.'),
  end: timestamp().optional().describe('Returns only bars that begin before this instant.'),
  cursor: text({ max: 500 })
    .optional()
    .describe(
      'The `next_cursor` of an earlier response, to read older bars. All fields except `format` must be the same as in the earlier request.',
    ),
  snapshot_id: identifier().optional().describe('Returns the same rows as the response that named this snapshot.'),
});

export const StockHistory = z
  .strictObject({
    provider: z.string().describe('The provider that supplied the bars.'),
    sourceRequested: z.string(),
    fallbackUsed: z.boolean().describe('Whether a preferred provider failed and another one supplied the bars.'),
    symbol: z.string(),
    timeframe: z.string(),
    adjustment: z.enum(ADJUSTMENTS),
    session: z.enum(SESSIONS),
    price_side: z.enum(QUOTE_SIDES),
    snapshot_id: z.string(),
    count: z.int(),
    truncated: z.boolean().describe('Whether there are older bars, which can be read with `next_cursor`.'),
    next_cursor: z.string().nullable(),
    dropped: z
      .record(z.string(), z.int())
      .describe('Number of invalid rows from the provider that were left out, by reason.'),
    rows: z.array(Bar),
  })
  .meta({ id: 'StockHistory' });

/** A provider of bars. The last fields are present for administrators only. */
export const MarketProviderView = z
  .strictObject({
    id: z.string(),
    configured: z.boolean().describe('Whether the service uses the provider.'),
    intervals: z.array(z.string()),
    adjustments: z.array(z.enum(ADJUSTMENTS)),
    sides: z.array(z.enum(QUOTE_SIDES)).describe('Prices of the bars. The first is the default.'),
    sessions: z.array(z.enum(SESSIONS)),
    earliest: instant().nullable().describe('Start of the oldest bar that the provider has; null if it is unknown.'),
    delay_minutes: z.number().describe('Minutes after its end until a bar can be read, as far as the service knows.'),
    license: z.strictObject({ name: z.string(), url: z.string() }),
    state: z
      .enum(['closed', 'open', 'trial'])
      .optional()
      .describe(
        'State of the circuit breaker: requests are sent (closed), are not sent because the provider failed repeatedly (open), or the next request decides (trial).',
      ),
    last_success_at: instant().nullable().optional().describe('Exact to a minute.'),
    last_failure: z.strictObject({ at: instant(), fault: z.string() }).nullable().optional(),
    requests_left: z
      .int()
      .nullable()
      .optional()
      .describe('Requests that can be sent now without a pause; null for a provider that gets no requests.'),
    listing: z
      .strictObject({ entries: z.int(), refreshed_at: instant().nullable(), error: z.string().nullable() })
      .nullable()
      .optional()
      .describe('The list of instruments, as it was last read; null if it was never requested.'),
  })
  .meta({ id: 'MarketProvider' });

export const marketDataOperations = {
  listMarketProviders: operation({
    group: 'Download',
    method: 'GET',
    path: '/v1/market-data/providers',
    action: 'datasets.read',
    summary: 'List the providers of bars',
    description:
      'Returns the providers that the service uses, in the order in which they are tried, and then those that are not configured. For administrators, it also returns their state.',
    status: 200,
    reply: resource(z.strictObject({ providers: z.array(MarketProviderView) })),
  }),

  readStockHistory: operation({
    group: 'Download',
    method: 'POST',
    path: '/market-data/stocks/history',
    action: 'datasets.read',
    summary: 'Read the price history of a stock',
    description:
      'Returns the latest completed bars, oldest first. Missing bars are not filled. The format `csv` returns an attachment. For one day, `snapshot_id` returns the same rows again in either format.',
    body: StockHistoryRequest,
    weight: 2,
    status: 200,
    reply: ok(StockHistory),
    attachment: true,
    errors: ['LICENSE_DENIED', 'NOT_FOUND', 'UNPROCESSABLE', 'PROVIDER_FAILED'],
  }),
};
