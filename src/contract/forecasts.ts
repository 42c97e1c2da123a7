import { z } from 'zod';
import { identifier, text } from './fields.ts';
import { ForecastRequestBody } from './forecast-request.ts';
import { ForecastProgress } from './forecast-result.ts';
import {
  CanceledForecast,
  EnsembleForecast,
  ListedForecast,
  SharedForecast,
  StartedForecast,
} from './forecast-views.ts';
import { ModelsResponse } from './models.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { EXPORT_FORMATS, FORECAST_STATUSES } from './vocabulary.ts';

export const MAX_LISTED_FORECASTS = 100;

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
      'LICENSE_DENIED',
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
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED', 'OWNERSHIP_REQUIRED'],
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
