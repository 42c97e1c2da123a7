import { z } from 'zod';
import { MAX_CSV_COLUMN_NAME, MAX_WAREHOUSE_COLUMN_NAME } from './csv-vocabulary.ts';
import { identifier, isoDate, record, text, timestamp } from './fields.ts';
import {
  ADJUSTMENTS,
  AGGREGATE_FREQUENCIES,
  AGGREGATE_FUNCTIONS,
  MARKET_SOURCES,
  PRICE_SIDES,
  SESSIONS,
  TIME_FORMATS,
  TIMEFRAME_SPELLINGS,
} from './vocabulary.ts';

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

/** The size limit of a body that contains a source: the filters of a warehouse table alone can take 480 KiB. */
export const MAX_SOURCE_BODY = 512 * 1024;

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

/** Maximum number of filters. Each names another column. */
const MAX_FILTERS = 8;
const MAX_FILTER_VALUES = 100;

const warehouseColumn = () => text({ max: MAX_WAREHOUSE_COLUMN_NAME });

/** Two columns of a warehouse table: a local file, or a table of the public-datasets project. */
export const WarehouseSource = z
  .strictObject({
    type: z.literal('warehouse_table'),
    table: text({ max: 300 }).describe(
      'The name of the table: `local.<name>` for a file of the operator, or `bigquery-public-data.<dataset>.<table>`.',
    ),
    time_field: warehouseColumn(),
    time_format: z
      .enum(TIME_FORMATS)
      .optional()
      .describe('How an integer `time_field` states times. Required for integers, refused for other types.'),
    value_field: warehouseColumn(),
    filters: z
      .array(
        z.strictObject({
          field: warehouseColumn(),
          values: z
            .array(
              z.union([text({ min: 0, max: 100 }), z.number(), z.boolean()], {
                error: 'must be text, a number, true or false',
              }),
            )
            .min(1)
            .max(MAX_FILTER_VALUES),
        }),
      )
      .max(MAX_FILTERS)
      .optional()
      .describe('Reads only rows whose column equals one of the values, for every filter.'),
    start: timestamp().optional().describe('Reads only periods that begin at this instant or later.'),
    end: timestamp().optional().describe('Reads only periods that end by this instant.'),
    aggregate: z
      .strictObject({ function: z.enum(AGGREGATE_FUNCTIONS), frequency: z.enum(AGGREGATE_FREQUENCIES) })
      .optional()
      .describe(
        'Combines the rows of each period into one. Without it, two rows of one period are an error. `mean`, `sum` and `last` ignore missing values; `count` counts the others.',
      ),
  })
  .meta({ id: 'WarehouseSource' });

/** A source that search results contain and that describe, observations and forecasts accept. */
export const Source = z.discriminatedUnion('type', [MarketSource, EconomicSource, WarehouseSource]);

/** Any source from which rows can be read: the sources that search finds, and workspace files. */
export const ReadableSource = z.discriminatedUnion('type', [
  MarketSource,
  EconomicSource,
  WarehouseSource,
  WorkspaceCsvSource,
]);

export type MarketReference = z.output<typeof MarketSource>;
export type EconomicReference = z.output<typeof EconomicSource>;
export type WarehouseReference = z.output<typeof WarehouseSource>;
export type WorkspaceCsvReference = z.output<typeof WorkspaceCsvSource>;
export type PublicReference = z.output<typeof Source>;
export type SourceReference = z.output<typeof ReadableSource>;
export type SourceType = SourceReference['type'];
