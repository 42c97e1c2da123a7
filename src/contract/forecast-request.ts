import { z } from 'zod';
import { identifier, text, timestamp } from './fields.ts';
import { name } from './names.ts';
import { EconomicSource, MarketSource, WorkspaceCsvSource } from './sources.ts';
import { VISIBILITIES } from './vocabulary.ts';

export const MAX_INLINE_POINTS = 50_000;

/** Rows that come with the request. */
export const InlineSource = z
  .strictObject({
    type: z.literal('inline'),
    points: z
      .array(z.strictObject({ timestamp: timestamp(), value: z.number() }))
      .min(1)
      .max(MAX_INLINE_POINTS),
  })
  .meta({ id: 'InlineSource' });

/** What a union says by itself, "Invalid input", helps nobody. */
const CUTOFF =
  'must be a date and time with an offset, such as 2024-01-31T00:00:00Z, or a whole number of days before the last observation, such as 120 or 180';

const ForecastSource = z.discriminatedUnion('type', [MarketSource, EconomicSource, WorkspaceCsvSource, InlineSource]);

export const ForecastRequestBody = z.strictObject({
  source: ForecastSource,
  frequency: text({ max: 10 }).optional().describe('Of inline rows; inferred from them when left out.'),
  horizon: z.int().min(1).max(365),
  quantiles: z.array(z.number()).min(1).max(21).optional(),
  models: z
    .array(text({ max: 40 }))
    .min(1)
    .max(20)
    .optional(),
  weight_mode: z.enum(['auto', 'manual']).default('auto'),
  weights: z.record(text({ max: 40 }), z.number()).optional(),
  weighting_policy: z.enum(['rolling_pinball_v1', 'rolling_loss_selection_v2']).default('rolling_loss_selection_v2'),
  transform: z.enum(['auto', 'none', 'log']).default('auto'),
  cutoff: z
    .union([timestamp(), z.int().min(0).max(36_500)], { error: CUTOFF })
    .optional()
    .describe('Read only periods that had ended by then: an instant, or days before the last observation.'),
  limit: z.int().min(3).max(50_000).optional().describe('The last so many rows before the cutoff.'),
  workspace_id: identifier().optional(),
  visibility: z.enum(VISIBILITIES).optional().describe('Default: workspace with a workspace_id, otherwise private.'),
  title: name({ max: 200 }).optional(),
  seed: z.int().min(0).optional(),
});
