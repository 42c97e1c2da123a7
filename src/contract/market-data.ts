import { z } from 'zod';
import { identifier, instant, text, timestamp } from './fields.ts';
import { operation } from './operation.ts';
import { ok } from './replies.ts';
import {
  ADJUSTMENTS,
  EXPORT_FORMATS,
  HISTORY_LIMITS,
  MARKET_SOURCES,
  PRICE_SIDES,
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
  price_side: z.enum(PRICE_SIDES).default('bid'),
  start: timestamp().optional().describe('Bars that begin at or after this instant.'),
  end: timestamp().optional().describe('Bars that begin before this instant.'),
  cursor: text({ max: 500 })
    .optional()
    .describe('The next page of older bars; everything else but the format as in the request that answered it.'),
  snapshot_id: identifier().optional().describe('The rows of an earlier answer, whatever has happened since.'),
});

export const StockHistory = z
  .strictObject({
    provider: z.string(),
    sourceRequested: z.string(),
    fallbackUsed: z.boolean(),
    symbol: z.string(),
    timeframe: z.string(),
    adjustment: z.enum(ADJUSTMENTS),
    session: z.enum(SESSIONS),
    snapshot_id: z.string(),
    count: z.int(),
    /** Older bars exist: `next_cursor` leads to them. */
    truncated: z.boolean(),
    next_cursor: z.string().nullable(),
    /** Rows the provider sent and we refused, by reason. */
    dropped: z.record(z.string(), z.int()),
    rows: z.array(Bar),
  })
  .meta({ id: 'StockHistory' });

export const marketDataOperations = {
  readStockHistory: operation({
    group: 'Download',
    method: 'POST',
    path: '/market-data/stocks/history',
    action: 'datasets.read',
    summary: 'Bars of an instrument',
    description:
      'The latest completed bars, oldest first. Missing bars stay missing. `csv` answers an attachment. The snapshot that an answer names can be exported again, to the same rows, for a day.',
    body: StockHistoryRequest,
    status: 200,
    reply: ok(StockHistory),
    attachment: true,
    errors: ['LICENSE_DENIED', 'NOT_FOUND', 'UNPROCESSABLE', 'PROVIDER_FAILED'],
  }),
};
