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
import { FORECAST_STATUSES, OUTCOME_STATUSES, VISIBILITIES } from './vocabulary.ts';

const queued = {
  forecast_id: z.string(),
  slug: z.string(),
  status: z.enum(FORECAST_STATUSES),
  progress: ForecastProgress.nullable(),
  status_url: z.string(),
  result_url: z.string(),
};

export const QueuedForecast = z.strictObject(queued).meta({ id: 'QueuedForecast' });

/** The settings that a forecast runs with: those of the request, with defaults filled in and aliases resolved. */
export const ResolvedSettings = z
  .strictObject({
    frequency: z.string(),
    series_kind: z
      .enum(['exchange', 'currency', 'plain'])
      .describe(
        'Which rows the series can have. Closed hours are not gaps and get no predictions: exchange follows the sessions of the exchange, currency trades from Sunday 17:00 to Friday 17:00 in New York, and plain has every period.',
      ),
    hours: z
      .enum(['regular', 'extended'])
      .nullable()
      .describe('The hours of an exchange that the bars cover; null for other series.'),
    horizon: z.int(),
    quantiles: z.array(z.number()),
    mode: z.literal('fast').optional().describe('Absent in full mode.'),
    models: z.array(z.string()),
    weight_mode: z.enum(['auto', 'manual']),
    weights: z.record(z.string(), z.number()).nullable().describe('The weights in the request.'),
    weighting_policy: z.enum(['rolling_pinball_v1', 'rolling_loss_selection_v2']),
    transform: z.enum(['auto', 'none', 'log']),
    seed: z.int(),
    cutoff: instant().nullable().describe('No row after this instant was read.'),
    source: ReadableSource.nullable().describe('The resolved source; null for inline rows.'),
    unavailable_models: z
      .array(z.string())
      .optional()
      .describe(
        'Models of the default ensemble, or of the fast mode, that were unavailable; absent if all were available.',
      ),
    not_fitted_models: z
      .array(z.string())
      .optional()
      .describe(
        'Members of the default ensemble that were not fitted, because they do not lower the errors on such series; absent if there are none.',
      ),
    fallback_used: z
      .literal(true)
      .optional()
      .describe('Present if a preferred provider failed and another one supplied the rows.'),
    as_known_at_cutoff: z
      .literal(true)
      .optional()
      .describe('Present if the rows are those that were known at the cutoff. `source.vintage` is their date.'),
    settle_days: z
      .int()
      .optional()
      .describe(
        'Number of days from the end of a period until its value enters the outcome; absent if the request did not set it.',
      ),
    estimated_bytes: z
      .int()
      .optional()
      .describe('The bytes of the dry run before the rows were read. Present for warehouse tables only.'),
  })
  .meta({ id: 'ResolvedSettings' });

const shownName = z.string().describe('The title or, without one, a name made from the source and the horizon.');

const view = {
  ...queued,
  name: shownName,
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
  request: z.record(z.string(), z.unknown()).describe('The request body, without inline rows.'),
  settings: ResolvedSettings,
  snapshot: z.strictObject({
    id: z.string(),
    sha256: z.string(),
    rows: z.int(),
    removed_at: instant()
      .optional()
      .describe('Present if the snapshot was removed; the forecast can then not be reproduced.'),
  }),
  checkpoints: z.record(z.string(), z.string()),
  fingerprint: z.record(z.string(), z.unknown()).nullable(),
  reproduces: z.string().nullable().describe('Id of the forecast that this one reproduces.'),
  comparison: z
    .strictObject({
      outcome: z.enum(['exact', 'within_tolerance', 'differs']),
      largest_difference: z
        .number()
        .nullable()
        .describe(
          'Largest difference between a predicted value and the original one, in standard deviations of the series.',
        ),
    })
    .nullable()
    .describe('Comparison of the result of a reproduction with the original result.'),
  provenance: TimestampReceipt.nullable(),
  questions_url: z.string().describe('URL that lists the event forecasts created from this forecast.'),
  error: z.strictObject({ code: z.string(), message: z.string(), retryable: z.boolean() }).optional(),
  created_at: instant(),
  started_at: instant().nullable(),
  finished_at: instant().nullable(),
};

export const EnsembleForecast = z.strictObject(view).meta({ id: 'EnsembleForecast' });

const ForecastScore = z
  .strictObject({
    validation_wql: z
      .number()
      .nullable()
      .describe('The average WQL of the historical validation; null until the forecast has completed.'),
    outcome_status: z
      .enum(OUTCOME_STATUSES)
      .nullable()
      .describe('How far the outcome is known; null until the forecast has completed.'),
    average_wql: z
      .number()
      .nullable()
      .describe('The average WQL of the actual values that are recorded so far; null until one is scored.'),
    relative_wql: z
      .number()
      .nullable()
      .describe('The same, divided by that of the seasonal naive forecast from the same origin.'),
  })
  .meta({ id: 'ForecastScore' });

const listed = {
  ...queued,
  name: shownName,
  title: z.string().nullable(),
  visibility: z.enum(VISIBILITIES),
  workspace_id: z.string().nullable(),
  weight_mode: z.enum(['auto', 'manual']),
  source: ReadableSource.nullable().describe('The resolved source; null for inline rows.'),
  horizon: z.int(),
  cutoff: instant().nullable().describe('No row after this instant was read.'),
  models: z.array(z.string()),
  score: ForecastScore,
  reproduces: z.string().nullable(),
  error: view.error,
  created_at: instant(),
  started_at: instant().nullable(),
  finished_at: instant().nullable(),
};

/** A forecast in a list, without its result. */
export const ListedForecast = z.strictObject(listed).meta({ id: 'ListedForecast' });

/** A forecast in the list of a workspace. */
export const SharedForecast = z
  .strictObject({
    ...listed,
    created_by: z.string().nullable().describe('Id of the account that created the forecast.'),
  })
  .meta({ id: 'SharedForecast' });

const undisclosed = {
  forecast_id: z.string(),
  status: z.enum(FORECAST_STATUSES),
  credits: z
    .int()
    .min(0)
    .describe('Credits that were reserved for the forecast. They are released if it fails or is canceled.'),
  created_at: instant(),
};

/** A private forecast of another member, as the owner of the workspace, who pays for it, sees it. */
export const UndisclosedForecast = z.strictObject(undisclosed).meta({ id: 'UndisclosedForecast' });

export const CanceledUndisclosedForecast = z
  .strictObject({ ...undisclosed, worker_cancellation: z.enum(['requested', 'not_needed']) })
  .meta({ id: 'CanceledUndisclosedForecast' });

export const CanceledForecast = z
  .strictObject({ ...view, worker_cancellation: z.enum(['requested', 'not_needed']) })
  .meta({ id: 'CanceledForecast' });
