import { z } from 'zod';
import { instant } from './fields.ts';

const Span = z.strictObject({ start: instant(), end: instant() });

/** How rows become what they are: `revised` data are today's, not what was known at the time. */
export const VINTAGES = ['revised', 'point_in_time'] as const;

/** Everything a caller must know of a series before choosing what to read. */
export const SeriesDescription = z.strictObject({
  provider: z.string(),
  title: z.string(),
  frequency: z.string(),
  /** Bars of the market can be asked for in these as well. */
  timeframes: z.array(z.string()).optional(),
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
  /** Of the first value field. */
  units: z.string(),
  span: Span,
  /** Rows of one choice of dimensions, gaps not counted. */
  rows: z.int(),
  reporting_period: z.enum(['session', 'week', 'month', 'daily', 'month_end', 'quarter_end', 'year_end']),
  vintage: z.enum(VINTAGES),
  publisher: z.string(),
  license: z.strictObject({ name: z.string(), url: z.string().nullable() }),
  notes: z.string().nullable(),
});

/** The same as callers are told it. */
export const DescribedSeries = z
  .strictObject({
    ...SeriesDescription.shape,
    license: SeriesDescription.shape.license.extend({
      allowed: z.boolean().describe('Whether its rows may be used here.'),
    }),
  })
  .meta({ id: 'SeriesDescription' });

export type SeriesDescription = z.output<typeof SeriesDescription>;
export type SeriesSpan = z.output<typeof Span>;
