import { z } from 'zod';
import { MAX_CSV_COLUMN_NAME } from './csv-vocabulary.ts';
import { identifier, isoDate, record, text } from './fields.ts';
import { ADJUSTMENTS, MARKET_SOURCES, PRICE_SIDES, SESSIONS, TIMEFRAME_SPELLINGS } from './vocabulary.ts';

/**
 * Bars of an instrument. By default they come from any provider that has them, are split-adjusted and cover regular
 * hours.
 */
export const MarketSource = z
  .strictObject({
    type: z.literal('market'),
    symbol: text({ max: 32 }),
    provider: z.enum(MARKET_SOURCES).optional(),
    timeframe: z.enum(TIMEFRAME_SPELLINGS),
    adjustment: z.enum(ADJUSTMENTS).optional(),
    session: z.enum(SESSIONS).optional(),
    price_side: z.enum(PRICE_SIDES).optional(),
    value_field: text({ max: 64 }).optional(),
  })
  .meta({ id: 'MarketSource' });

/** Maximum number of dimensions that a request can give values for. No series has as many. */
const MAX_DIMENSIONS = 20;

/** The size limit of a body that contains a source: the dimensions alone can take 32 KiB. */
export const MAX_SOURCE_BODY = 48 * 1024;

/** A published series. Its rows can be read only if a value is given for every required dimension. */
export const EconomicSource = z
  .strictObject({
    type: z.literal('economic_series'),
    provider: text({ max: 64 }),
    series_id: text({ max: 256 }),
    value_field: text({ max: 64 }).optional(),
    dimensions: record(text({ max: 64 }), text({ max: 200 }), { max: MAX_DIMENSIONS }).optional(),
    vintage: isoDate()
      .optional()
      .describe(
        'Returns the rows as they stood on this date. Only series with `vintages` in their description have it.',
      ),
  })
  .meta({ id: 'EconomicSource' });

/**
 * Two columns of a workspace file. Forecasts and resolution rules accept it; search, describe and observations do not.
 */
export const WorkspaceCsvSource = z
  .strictObject({
    type: z.literal('workspace_csv'),
    workspace_id: identifier(),
    csv_id: identifier(),
    time_field: text({ max: MAX_CSV_COLUMN_NAME }),
    value_field: text({ max: MAX_CSV_COLUMN_NAME }),
  })
  .meta({ id: 'WorkspaceCsvSource' });

/** A source that search results contain and that describe, observations and forecasts accept. */
export const Source = z.discriminatedUnion('type', [MarketSource, EconomicSource]);

/** Any source from which rows can be read: the sources that search finds, and workspace files. */
export const ReadableSource = z.discriminatedUnion('type', [MarketSource, EconomicSource, WorkspaceCsvSource]);

export type MarketReference = z.output<typeof MarketSource>;
export type EconomicReference = z.output<typeof EconomicSource>;
export type WorkspaceCsvReference = z.output<typeof WorkspaceCsvSource>;
export type PublicReference = z.output<typeof Source>;
export type SourceReference = z.output<typeof ReadableSource>;
export type SourceType = SourceReference['type'];
