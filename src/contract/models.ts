import { z } from 'zod';
import { PLANS } from './vocabulary.ts';

const Frequency = z
  .strictObject({
    frequency: z.string(),
    timeframe: z.string(),
    bucket_timezone: z.literal('UTC'),
    calendar_period: z.enum(['week', 'month']).nullable(),
    week_start: z.literal('Monday').optional(),
    completed_bars_only: z.literal(true),
    missing_intervals: z.literal('not_filled'),
  })
  .meta({ id: 'Frequency' });

const Model = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    available: z.boolean(),
    default_weight: z.number(),
    quantile_support: z.union([
      z.strictObject({ type: z.literal('requested') }),
      z.strictObject({ min: z.number(), max: z.number(), interpolation_inside_range: z.boolean() }),
    ]),
    checkpoint: z.strictObject({ id: z.string(), sha256: z.string().nullable(), source: z.string() }).nullable(),
    license: z.strictObject({ name: z.string(), allowed: z.boolean() }),
  })
  .meta({ id: 'Model' });

/** The models, frequencies and limits that are available to the caller. */
export const ModelsResponse = z
  .strictObject({
    frequencies: z.array(Frequency),
    models: z.array(Model),
    plan: z.enum([...PLANS, 'guest']),
    runtime: z.strictObject({ engine: z.string(), node: z.string() }),
    quantiles: z.strictObject({ min: z.number(), max: z.number(), max_count: z.int() }),
    horizon: z.record(z.string(), z.int()).describe('Maximum horizon by frequency.'),
    device: z.literal('cpu'),
  })
  .meta({ id: 'ModelsResponse' });
