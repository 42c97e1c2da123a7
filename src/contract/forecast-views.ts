import { z } from 'zod';
import { instant } from './fields.ts';
import {
  ForecastProgress,
  HistoricalValidation,
  MemberForecast,
  Prediction,
  TimestampReceipt,
  Weighting,
  WeightsByQuantile,
} from './forecast-result.ts';
import { ReadableSource } from './sources.ts';
import { FORECAST_STATUSES, VISIBILITIES } from './vocabulary.ts';

const started = {
  forecast_id: z.string(),
  slug: z.string(),
  status: z.enum(FORECAST_STATUSES),
  progress: ForecastProgress.nullable(),
  status_url: z.string(),
  result_url: z.string(),
};

export const StartedForecast = z.strictObject(started).meta({ id: 'StartedForecast' });

/** What a forecast runs with: the request with every default filled in and every name resolved. */
export const ResolvedSettings = z
  .strictObject({
    frequency: z.string(),
    series_kind: z.enum(['exchange', 'plain']),
    hours: z.enum(['regular', 'extended']).nullable().describe('Of bars within a trading day.'),
    horizon: z.int(),
    quantiles: z.array(z.number()),
    models: z.array(z.string()),
    weight_mode: z.enum(['auto', 'manual']),
    weights: z.record(z.string(), z.number()).nullable().describe('As they were given.'),
    weighting_policy: z.enum(['rolling_pinball_v1', 'rolling_loss_selection_v2']),
    transform: z.enum(['auto', 'none', 'log']),
    seed: z.int(),
    cutoff: instant().nullable().describe('The rows were read up to here.'),
    source: ReadableSource.nullable().describe('As it was resolved; null for inline rows.'),
    unavailable_models: z
      .array(z.string())
      .optional()
      .describe('Models of the default ensemble that could not run; absent where all could.'),
  })
  .meta({ id: 'ResolvedSettings' });

const view = {
  ...started,
  title: z.string().nullable(),
  visibility: z.enum(VISIBILITIES),
  workspace_id: z.string().nullable(),
  weight_mode: z.enum(['auto', 'manual']),
  predictions: z.array(Prediction),
  weighting: Weighting.optional(),
  historical_validation: HistoricalValidation.optional(),
  effective_weights_by_quantile: WeightsByQuantile.optional(),
  members: z.array(MemberForecast).optional(),
  season: z.int().optional(),
  /** What was asked for, inline rows left out. */
  request: z.record(z.string(), z.unknown()),
  settings: ResolvedSettings,
  snapshot: z.strictObject({ id: z.string(), sha256: z.string(), rows: z.int() }),
  checkpoints: z.record(z.string(), z.string()),
  fingerprint: z.record(z.string(), z.unknown()).nullable(),
  reproduces: z.string().nullable(),
  comparison: z
    .strictObject({
      outcome: z.enum(['exact', 'within_tolerance', 'differs']),
      largest_difference: z.number().nullable(),
    })
    .nullable(),
  provenance: TimestampReceipt.nullable(),
  questions_url: z.string().describe('Where the event forecasts are listed that were made from it.'),
  error: z.strictObject({ code: z.string(), message: z.string(), retryable: z.boolean() }).optional(),
  created_at: instant(),
  started_at: instant().nullable(),
  finished_at: instant().nullable(),
};

export const EnsembleForecast = z.strictObject(view).meta({ id: 'EnsembleForecast' });

const listed = {
  ...started,
  title: z.string().nullable(),
  visibility: z.enum(VISIBILITIES),
  workspace_id: z.string().nullable(),
  weight_mode: z.enum(['auto', 'manual']),
  horizon: z.int(),
  models: z.array(z.string()),
  reproduces: z.string().nullable(),
  error: view.error,
  created_at: instant(),
  started_at: instant().nullable(),
  finished_at: instant().nullable(),
};

/** A forecast in a list: what it says is at its own address. */
export const ListedForecast = z.strictObject(listed).meta({ id: 'ListedForecast' });

/** The same in the list of a workspace, to those who are in it. */
export const SharedForecast = z
  .strictObject({
    ...listed,
    created_by: z.string().nullable().describe('Id of the account that asked for it, a member at the time.'),
  })
  .meta({ id: 'SharedForecast' });

export const CanceledForecast = z
  .strictObject({ ...view, worker_cancellation: z.enum(['requested', 'not_needed']) })
  .meta({ id: 'CanceledForecast' });
