import { z } from 'zod';
import { instant, isoDate } from './fields.ts';
import { LISTING_STATUSES, QUOTE_SIDES } from './vocabulary.ts';

const Span = z.strictObject({ start: instant(), end: instant() });

/** `revised`: the values as they are known today. `point_in_time`: the values as they were first known. */
export const VINTAGES = ['revised', 'point_in_time'] as const;

/** The description of a series. Callers read it before they request rows. */
export const SeriesDescription = z.strictObject({
  provider: z.string(),
  title: z.string(),
  frequency: z.string(),
  timeframes: z
    .array(z.string())
    .optional()
    .describe('Timeframes in which the bars are available. Present for market data only.'),
  adjustments: z.array(z.string()).optional(),
  sessions: z.array(z.string()).optional(),
  price_sides: z
    .array(z.enum(QUOTE_SIDES))
    .optional()
    .describe('Prices that the provider has. The first is the default.'),
  status: z.enum(LISTING_STATUSES).optional().describe('Whether the instrument is still listed.'),
  time_field: z.literal('timestamp'),
  values: z.array(z.strictObject({ field: z.string(), label: z.string(), units: z.string() })),
  dimensions: z.array(
    z.strictObject({
      field: z.string(),
      label: z.string(),
      required: z.boolean(),
      values: z
        .array(z.strictObject({ value: z.string(), label: z.string() }))
        .optional()
        .describe('Omitted if there are more than 1,000. The response to a wrong value then names the nearest ones.'),
    }),
  ),
  units: z.string().describe('Units of the first value field. Empty if they are not stated or depend on a dimension.'),
  multiplier: z
    .number()
    .nullable()
    .optional()
    .describe(
      'The number that the units contain, such as 1000000 for "Millions of EUR". Values are in these units. Null if it is not stated.',
    ),
  seasonal_adjustment: z.string().nullable().optional(),
  last_update: instant().nullable().optional().describe('When the provider last changed the series.'),
  span: Span.nullable().describe('Null if the provider does not state it.'),
  rows: z
    .int()
    .nullable()
    .describe(
      'Null if the provider does not state it. Number of rows for each combination of dimension values. Periods without a row are not counted. Rows with a missing value are counted in bundled series, but not in live ones.',
    ),
  reporting_period: z
    .enum(['interval', 'session', 'week', 'month', 'daily', 'month_end', 'quarter_end', 'year_end', 'varies', 'other'])
    .describe('`varies`: it depends on a dimension. `other`: rows of this frequency cannot be read.'),
  vintage: z
    .enum(VINTAGES)
    .describe('`revised`: values as known today. `point_in_time`: values as they were known at the time.'),
  vintages: z
    .boolean()
    .optional()
    .describe('Whether rows can be read as they stood on an earlier date: set `vintage` in the source.'),
  first_vintage: isoDate().optional().describe('The earliest date for `vintage`. Present only with `vintages`.'),
  estimated_bytes: z
    .int()
    .nullable()
    .optional()
    .describe(
      'The bytes that reading these rows would take at most, from metadata alone; null if the metadata do not state it. Present for warehouse tables only. A read is refused above 104857600.',
    ),
  publisher: z.string(),
  license: z.strictObject({ name: z.string(), url: z.string().nullable() }),
  notes: z.string().nullable(),
});

/** The description of a series as a response contains it. It also states whether the license is allowed. */
export const DescribedSeries = z
  .strictObject({
    ...SeriesDescription.shape,
    license: SeriesDescription.shape.license.extend({
      allowed: z.boolean().describe('Whether the operator of the service allows data under this license.'),
    }),
  })
  .meta({ id: 'SeriesDescription' });

export type SeriesDescription = z.output<typeof SeriesDescription>;
export type SeriesSpan = z.output<typeof Span>;
