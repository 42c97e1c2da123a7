import { z } from 'zod';
import { instant } from './fields.ts';

const Span = z.strictObject({ start: instant(), end: instant() });

/** `revised`: the values as known today. `point_in_time`: the values as known at the time. */
export const VINTAGES = ['revised', 'point_in_time'] as const;

/** Everything that a caller needs to know about a series before reading it. */
export const SeriesDescription = z.strictObject({
  provider: z.string(),
  title: z.string(),
  frequency: z.string(),
  timeframes: z.array(z.string()).optional().describe('Other timeframes in which market bars are available.'),
  adjustments: z.array(z.string()).optional(),
  sessions: z.array(z.string()).optional(),
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
  span: Span,
  rows: z.int().describe('Number of rows for one combination of dimensions, without gaps.'),
  reporting_period: z.enum(['session', 'week', 'month', 'daily', 'month_end', 'quarter_end', 'year_end']),
  vintage: z.enum(VINTAGES).describe('`revised`: values as known today. `point_in_time`: values as known at the time.'),
  publisher: z.string(),
  license: z.strictObject({ name: z.string(), url: z.string().nullable() }),
  notes: z.string().nullable(),
});

/** A series description as the API returns it. */
export const DescribedSeries = z
  .strictObject({
    ...SeriesDescription.shape,
    license: SeriesDescription.shape.license.extend({
      allowed: z.boolean().describe('Whether this service allows the use of data under this license.'),
    }),
  })
  .meta({ id: 'SeriesDescription' });

export type SeriesDescription = z.output<typeof SeriesDescription>;
export type SeriesSpan = z.output<typeof Span>;
