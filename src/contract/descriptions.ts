import { z } from 'zod';
import { instant } from './fields.ts';
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
      values: z.array(z.strictObject({ value: z.string(), label: z.string() })).optional(),
    }),
  ),
  units: z.string().describe('Units of the first value field.'),
  span: Span.nullable().describe('Null if the provider does not state it.'),
  rows: z
    .int()
    .nullable()
    .describe(
      'Null if the provider does not state it. Number of rows for each combination of dimension values. Periods without a row are not counted; rows with a missing value are.',
    ),
  reporting_period: z.enum(['interval', 'session', 'week', 'month', 'daily', 'month_end', 'quarter_end', 'year_end']),
  vintage: z
    .enum(VINTAGES)
    .describe('`revised`: values as known today. `point_in_time`: values as they were known at the time.'),
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
