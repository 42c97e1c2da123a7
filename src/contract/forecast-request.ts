import { z } from 'zod';
import { identifier, record, text, timestamp } from './fields.ts';
import { InlineRows, MAX_INLINE_POINTS, readInlineRows } from './inline-rows.ts';
import { name } from './names.ts';
import { EconomicSource, MarketSource, WarehouseSource, WorkspaceCsvSource } from './sources.ts';
import { VISIBILITIES } from './vocabulary.ts';

const ROWS = { minItems: 1, maxItems: MAX_INLINE_POINTS };
const TIMESTAMP = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
} as const;
const ORDER =
  'Rows in any order; they are sorted by time first. Two rows must not have the same timestamp. A date without a time means 00:00 UTC.';

/**
 * Rows that are sent with the request. The schema describes the lists for the documentation; `readInlineRows` checks
 * them, because a schema for each of 50,000 rows would take half a second.
 */
export const InlineSource = z
  .strictObject({
    type: z.literal('inline'),
    points: z
      .unknown()
      .optional()
      .meta({
        type: 'array',
        ...ROWS,
        items: {
          type: 'object',
          properties: { timestamp: TIMESTAMP, value: { type: 'number' } },
          required: ['timestamp', 'value'],
          additionalProperties: false,
        },
        description: ORDER,
      }),
    timestamps: z
      .unknown()
      .optional()
      .meta({
        type: 'array',
        ...ROWS,
        items: TIMESTAMP,
        description: `The timestamps of the rows, with \`values\` instead of \`points\`. This form is shorter. ${ORDER}`,
      }),
    values: z
      .unknown()
      .optional()
      .meta({
        type: 'array',
        ...ROWS,
        items: { type: 'number' },
        description: 'The value of each row, in the order of `timestamps`.',
      }),
  })
  .meta({ id: 'InlineSource', description: 'Contains either `points`, or `timestamps` and `values`.' })
  .transform(({ type, ...sent }, context) => {
    const rows = readInlineRows(sent);
    if (rows instanceof InlineRows) return { type, rows };
    for (const { path, message } of rows) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
    return z.NEVER;
  });

/** Replaces the default message for a union, "Invalid input", which does not state what is valid. */
const CUTOFF_RULE =
  'must be a date and time with an offset, such as 2024-01-31T00:00:00Z, or a whole number of days before the last observation, such as 120 or 180';

const ForecastSource = z.discriminatedUnion('type', [
  MarketSource,
  EconomicSource,
  WarehouseSource,
  WorkspaceCsvSource,
  InlineSource,
]);

export const ForecastRequestBody = z.strictObject({
  source: ForecastSource,
  frequency: text({ max: 10 })
    .optional()
    .describe(
      'Frequency of the rows. Default: the frequency of the source; for inline rows, it is inferred. The response is 422 if the source has another frequency, or if no two neighboring inline rows are one period apart.',
    ),
  horizon: z.int().min(1).max(365).describe('Number of periods to forecast.'),
  quantiles: z
    .array(z.number())
    .min(1)
    .max(21)
    .optional()
    .describe('Quantile levels. Default: 0.1, 0.25, 0.5, 0.75, 0.9.'),
  mode: z
    .enum(['full', 'fast'])
    .optional()
    .describe(
      'Default: `full`. `fast` fits toto, theta and seasonal_naive, those of them that are available, without folds, and combines them with weights and a width of the intervals that are known beforehand: the forecast takes less time, costs 2 credits for each model and thousand rows, and its intervals are not calibrated to the series. Not together with `models`, `weights` or the weight mode `manual`.',
    ),
  models: z
    .array(text({ max: 40 }))
    .min(1)
    .max(20)
    .optional()
    .describe(
      'Ids of the models. Default: the models in `weights` or, without `weights`, the available models that lower the errors on series of the frequency; without toto, the available models of the default ensemble. A model that is named here is always fitted.',
    ),
  weight_mode: z.enum(['auto', 'manual']).default('auto'),
  weights: record(text({ max: 40 }), z.number(), { max: 20 })
    .optional()
    .describe('Weights by model id, for the weight mode `manual`.'),
  weighting_policy: z.enum(['rolling_pinball_v1', 'rolling_loss_selection_v2']).default('rolling_loss_selection_v2'),
  transform: z.enum(['auto', 'none', 'log']).default('auto'),
  cutoff: z
    .union([timestamp(), z.int().min(0).max(36_500)], { error: CUTOFF_RULE })
    .optional()
    .describe(
      'An instant, or a number of days before the last observation. For bars of an exchange, days are dates in New York; otherwise, each day is 24 hours. Only periods that ended by the cutoff are read.',
    ),
  as_known_at_cutoff: z
    .boolean()
    .optional()
    .describe(
      'Whether to read the series as it was known at the cutoff, without later revisions: the vintage of the last date that was over at the cutoff where the provider is. Needs a cutoff and a series with vintages.',
    ),
  settle_days: z
    .int()
    .min(0)
    .max(365)
    .optional()
    .describe(
      'Number of days from the end of a period until its value is final and enters the outcome of the forecast. Default: 0.',
    ),
  limit: z
    .int()
    .min(3)
    .max(50_000)
    .optional()
    .describe('Maximum number of rows to read. The latest rows up to the cutoff are read.'),
  workspace_id: identifier().optional(),
  visibility: z
    .enum(VISIBILITIES)
    .optional()
    .describe('Default: `workspace` if `workspace_id` is given, otherwise `private`.'),
  title: name({ max: 200 }).optional(),
  seed: z.int().min(0).optional().describe('Seed for the models that use random numbers. Default: 1.'),
});
