import { z } from 'zod';
import { identifier, instant, text, timestamp } from './fields.ts';
import {
  ForecastProgress,
  HistoricalValidation,
  MemberForecast,
  Prediction,
  TimestampReceipt,
  Weighting,
  WeightsByQuantile,
} from './forecast-result.ts';
import { ModelsResponse } from './models.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { EconomicSource, MarketSource, ReadableSource, WorkspaceCsvSource } from './sources.ts';
import { EXPORT_FORMATS, FORECAST_STATUSES, VISIBILITIES } from './vocabulary.ts';

export const MAX_INLINE_POINTS = 50_000;
export const MAX_LISTED_FORECASTS = 100;

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
  title: text({ max: 200 }).optional(),
  seed: z.int().min(0).optional(),
});

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
const ListedForecast = z.strictObject(listed).meta({ id: 'ListedForecast' });

/** The same in the list of a workspace, to those who are in it. */
const SharedForecast = z
  .strictObject({
    ...listed,
    created_by: z.string().nullable().describe('Id of the account that asked for it, a member at the time.'),
  })
  .meta({ id: 'SharedForecast' });

const CanceledForecast = z
  .strictObject({ ...view, worker_cancellation: z.enum(['requested', 'not_needed']) })
  .meta({ id: 'CanceledForecast' });

const listing = {
  status: z.enum(FORECAST_STATUSES).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LISTED_FORECASTS).default(20),
  cursor: text({ max: 500 }).optional(),
};

const byId = z.strictObject({ forecast_id: identifier() });
const PATH = '/v1/ensemble-forecasts';

export const forecastOperations = {
  createForecast: operation({
    group: 'Forecast',
    method: 'POST',
    path: PATH,
    action: 'forecast.create',
    summary: 'Ask for a forecast',
    description:
      'Freezes the rows, reserves its credits and queues the job. In a workspace the plan of its owner counts, and its owner pays.',
    body: ForecastRequestBody,
    status: 202,
    reply: resource(StartedForecast),
    repeatable: true,
    errors: [
      'NOT_FOUND',
      'WORKSPACE_DENIED',
      'IDEMPOTENCY_MISMATCH',
      'UNPROCESSABLE',
      'INSUFFICIENT_HISTORY',
      'QUOTA_EXCEEDED',
      'LIMIT_REACHED',
      'PROVIDER_FAILED',
    ],
  }),
  listForecasts: operation({
    group: 'Forecast',
    method: 'GET',
    path: PATH,
    action: 'forecast.list',
    summary: 'The caller’s forecasts',
    description: 'Newest first, without what they say: that is at the address of each.',
    query: z.strictObject(listing),
    status: 200,
    reply: resource(z.strictObject({ forecasts: z.array(ListedForecast), next_cursor: z.string().nullable() })),
  }),
  listWorkspaceForecasts: operation({
    group: 'Workspaces',
    method: 'GET',
    path: '/v1/workspaces/{workspace_id}/forecasts',
    action: 'forecast.list_shared',
    summary: 'The forecasts of a workspace',
    description:
      'Newest first: those that the caller’s resource scope lets it see. Private ones are their maker’s alone.',
    params: z.strictObject({ workspace_id: identifier() }),
    query: z.strictObject(listing),
    status: 200,
    reply: resource(z.strictObject({ forecasts: z.array(SharedForecast), next_cursor: z.string().nullable() })),
    errors: ['WORKSPACE_DENIED'],
  }),
  readForecast: operation({
    group: 'Forecast',
    method: 'GET',
    path: `${PATH}/{forecast_id}`,
    action: 'forecast.read',
    summary: 'A forecast and how far it is',
    description: 'Before completion `predictions` is empty and weighting, validation and weights are absent.',
    params: byId,
    status: 200,
    reply: resource(EnsembleForecast),
    versioned: true,
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED'],
  }),
  cancelForecast: operation({
    group: 'Forecast',
    method: 'POST',
    path: `${PATH}/{forecast_id}/cancel`,
    action: 'forecast.cancel',
    summary: 'Stop a forecast',
    description: 'A completed forecast stays completed. Repeating it is safe.',
    params: byId,
    status: 200,
    reply: resource(CanceledForecast),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED'],
  }),
  reproduceForecast: operation({
    group: 'Forecast',
    method: 'POST',
    path: `${PATH}/{forecast_id}/reproduce`,
    action: 'forecast.reproduce',
    summary: 'Run a forecast again',
    description: 'A new job from the frozen rows, the exact checkpoints and the stored settings; the models run again.',
    params: byId,
    status: 202,
    reply: resource(StartedForecast),
    repeatable: true,
    errors: [
      'NOT_FOUND',
      'UNPROCESSABLE',
      'QUOTA_EXCEEDED',
      'LIMIT_REACHED',
      'LICENSE_DENIED',
      'WORKSPACE_DENIED',
      'IDEMPOTENCY_MISMATCH',
    ],
  }),
  watchForecast: operation({
    group: 'Forecast',
    method: 'GET',
    path: `${PATH}/{forecast_id}/events`,
    action: 'forecast.read',
    summary: 'Progress as it happens',
    description:
      'Server-sent events: queued, progress, completed, failed. Resumes after Last-Event-ID; one who has had the last event gets 204, at which a browser stops connecting again. Ends when the caller may no longer read the forecast.',
    params: byId,
    status: 200,
    reply: resource(ForecastProgress),
    stream: true,
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED'],
  }),
  readForecastProof: operation({
    group: 'Forecast',
    method: 'GET',
    path: `${PATH}/{forecast_id}/proof`,
    action: 'forecast.read',
    summary: 'What the forecast said, when, and from what',
    description:
      'The document whose canonical JSON (RFC 8785) has the SHA-256 that `content_cid` names. `almanac proof verify FILE` checks it offline.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ document: z.record(z.string(), z.unknown()), content_cid: z.string() })),
    errors: ['NOT_FOUND', 'NOT_COMPLETED', 'WORKSPACE_DENIED'],
  }),
  listModels: operation({
    group: 'Forecast',
    method: 'GET',
    path: '/v1/forecast/models',
    action: 'models.read',
    summary: 'Models, frequencies and limits',
    description: 'For the caller’s plan, or that of a workspace’s owner.',
    query: z.strictObject({ workspace_id: identifier().optional() }),
    status: 200,
    reply: resource(ModelsResponse),
    errors: ['WORKSPACE_DENIED'],
  }),
  exportForecast: operation({
    group: 'Forecast',
    method: 'GET',
    path: `${PATH}/{forecast_id}/export`,
    action: 'forecast.read',
    summary: 'The predictions as a file',
    params: byId,
    query: z.strictObject({ format: z.enum(EXPORT_FORMATS).default('csv') }),
    status: 200,
    reply: resource(EnsembleForecast),
    attachment: true,
    errors: ['NOT_FOUND', 'NOT_COMPLETED', 'WORKSPACE_DENIED'],
  }),
};
