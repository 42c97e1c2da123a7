import { z } from 'zod';
import { dateOrTimestamp, identifier, text, timestamp } from './fields.ts';
import { name } from './names.ts';
import { EconomicSource, MarketSource, WorkspaceCsvSource } from './sources.ts';
import { VISIBILITIES } from './vocabulary.ts';

export const MAX_INLINE_POINTS = 50_000;

/** Rows that are sent with the request. */
export const InlineSource = z
  .strictObject({
    type: z.literal('inline'),
    points: z
      .array(z.strictObject({ timestamp: dateOrTimestamp(), value: z.number() }))
      .min(1)
      .max(MAX_INLINE_POINTS)
      .describe(
        'Rows in any order; they are sorted by time first. Two rows must not have the same timestamp. A date without a time means 00:00 UTC.',
      ),
  })
  .meta({ id: 'InlineSource' });

/** Replaces the default message for a union, "Invalid input", which does not state what is valid. */
const CUTOFF_RULE =
  'must be a date and time with an offset, such as 2024-01-31T00:00:00Z, or a whole number of days before the last observation, such as 120 or 180';

const ForecastSource = z.discriminatedUnion('type', [MarketSource, EconomicSource, WorkspaceCsvSource, InlineSource]);

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
  models: z
    .array(text({ max: 40 }))
    .min(1)
    .max(20)
    .optional()
    .describe(
      'Ids of the models. Default: the models in `weights` or, without `weights`, the available models of the default ensemble.',
    ),
  weight_mode: z.enum(['auto', 'manual']).default('auto'),
  weights: z
    .record(text({ max: 40 }), z.number())
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
