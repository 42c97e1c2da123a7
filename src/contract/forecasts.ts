import { z } from 'zod';
import { identifier, text } from './fields.ts';
import { ForecastRequestBody } from './forecast-request.ts';
import { ForecastProgress } from './forecast-result.ts';
import {
  CanceledForecast,
  CanceledUndisclosedForecast,
  EnsembleForecast,
  ListedForecast,
  QueuedForecast,
  SharedForecast,
  UndisclosedForecast,
} from './forecast-views.ts';
import { MAX_INLINE_POINTS } from './inline-rows.ts';
import { ModelsResponse } from './models.ts';
import { operation } from './operation.ts';
import { ProofFile } from './proof-file.ts';
import { resource } from './replies.ts';
import { EXPORT_FORMATS, FORECAST_SORTS, FORECAST_STATUSES, SORT_DIRECTIONS } from './vocabulary.ts';

export const MAX_LISTED_FORECASTS = 100;

const listing = {
  q: text({ min: 0, max: 200 })
    .optional()
    .describe(
      'Lists forecasts in whose title, slug, symbol, series id, table or value field every word occurs, in any case.',
    ),
  status: z.enum(FORECAST_STATUSES).optional(),
  source: text({ max: 300 })
    .optional()
    .describe(
      'The type of the source (`market`, `economic_series`, `warehouse_table`, `workspace_csv` or `inline`), or its exact symbol, series id or table, in any case.',
    ),
  model: text({ max: 40 }).optional().describe('Lists forecasts in which this model takes part.'),
  sort: z
    .enum(FORECAST_SORTS)
    .default('created_at')
    .describe('`score` is the average WQL of the historical validation. Forecasts without a value come last.'),
  order: z.enum(SORT_DIRECTIONS).optional().describe('Default: `desc` for times, otherwise `asc`.'),
  limit: z.coerce.number().int().min(1).max(MAX_LISTED_FORECASTS).default(20),
  // A cursor contains the sort key of a forecast, which can be a title of 200 characters.
  cursor: text({ max: 2000 }).optional(),
};

const byId = z.strictObject({ forecast_id: identifier() });
const PATH = '/v1/ensemble-forecasts';

export const forecastOperations = {
  createForecast: operation({
    group: 'Forecast',
    method: 'POST',
    path: PATH,
    action: 'forecast.create',
    summary: 'Create a forecast',
    description:
      'Stores a snapshot of the rows, reserves credits and queues the forecast. In a workspace, the limits of the owner’s plan apply and the owner’s credits are used.',
    body: ForecastRequestBody,
    weight: 5,
    heavy: 'file_work',
    bodyLimit: { bytes: 4 * 1024 ** 2, rows: MAX_INLINE_POINTS },
    status: 202,
    reply: resource(QueuedForecast),
    repeatable: true,
    errors: [
      'NOT_FOUND',
      'SOURCE_DENIED',
      'ACCOUNT_REQUIRED',
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
    summary: 'List forecasts',
    description:
      'Lists the caller’s forecasts, newest first unless `sort` differs. Results are omitted; read a forecast by its id to get its result.',
    query: z.strictObject({
      ...listing,
      workspace_id: identifier().optional().describe('Lists only the caller’s forecasts in this workspace.'),
    }),
    status: 200,
    reply: resource(z.strictObject({ forecasts: z.array(ListedForecast), next_cursor: z.string().nullable() })),
    errors: ['WORKSPACE_DENIED'],
  }),
  listWorkspaceForecasts: operation({
    group: 'Workspaces',
    method: 'GET',
    path: '/v1/workspaces/{workspace_id}/forecasts',
    action: 'forecast.list_shared',
    summary: 'List the forecasts of a workspace',
    description:
      'Lists the forecasts within the caller’s resource scope, newest first unless `sort` differs. Private forecasts of other members are left out, except for the owner of the workspace, who sees the id, status, credits and creation time of each. `q`, `source` and `model` do not find these, and only `created_at` sorts them.',
    params: z.strictObject({ workspace_id: identifier() }),
    query: z.strictObject({
      ...listing,
      mine: z
        .enum(['true', 'false'])
        .default('false')
        .transform((choice) => choice === 'true')
        .describe('If `true`, lists only the forecasts that the caller created.'),
    }),
    status: 200,
    reply: resource(
      z.strictObject({
        forecasts: z.array(z.union([SharedForecast, UndisclosedForecast])),
        next_cursor: z.string().nullable(),
      }),
    ),
    errors: ['WORKSPACE_DENIED'],
  }),
  readForecast: operation({
    group: 'Forecast',
    method: 'GET',
    path: `${PATH}/{forecast_id}`,
    action: 'forecast.read',
    summary: 'Read a forecast',
    description:
      'Returns the forecast with its progress and an ETag, which changes when anything in the response does. Until the forecast has completed, `predictions` is empty, and weighting, validation and effective weights are absent.',
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
    summary: 'Cancel a forecast',
    description:
      'A forecast that has completed stays completed. Repeating the request is safe. The owner of a workspace can also cancel private forecasts of other members by their id, and gets only the fields that the list of the workspace shows.',
    params: byId,
    status: 200,
    reply: resource(z.union([CanceledForecast, CanceledUndisclosedForecast])),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED', 'OWNERSHIP_REQUIRED'],
  }),
  deleteForecast: operation({
    group: 'Forecast',
    method: 'DELETE',
    path: `${PATH}/{forecast_id}`,
    action: 'forecast.delete',
    summary: 'Delete a forecast',
    description:
      'Deletes a forecast with its result, its events and its snapshot. A queued or running forecast is canceled first, and its reservation is released; the credits of a completed one stay spent. Reproductions of it keep their snapshot, and questions from it stay. In a workspace, only the creator and the owner of the workspace can delete a forecast.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ forecast_id: z.string(), removed: z.boolean() })),
    conditional: true,
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED', 'OWNERSHIP_REQUIRED'],
  }),
  reproduceForecast: operation({
    group: 'Forecast',
    method: 'POST',
    path: `${PATH}/{forecast_id}/reproduce`,
    action: 'forecast.reproduce',
    summary: 'Reproduce a forecast',
    description:
      'Creates a forecast that runs the models again on the stored snapshot, with the same checkpoints and settings. If the snapshot of a canceled or failed forecast was removed, the answer is 422.',
    params: byId,
    weight: 5,
    heavy: 'work',
    status: 202,
    reply: resource(QueuedForecast),
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
    summary: 'Watch the progress of a forecast',
    description:
      'Streams the server-sent events `queued`, `progress`, `completed` and `failed`. With Last-Event-ID, the stream continues after that event. A client that already has the last event gets 204, so that EventSource stops reconnecting. The stream ends if the caller loses access to the forecast.',
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
    summary: 'Read the proof of a forecast',
    description:
      'Returns the canonical document of a completed forecast, its content id and its receipt. `content_cid` is the hash of the document as canonical JSON (RFC 8785): SHA3-256 if the field `hash` of the document names it, otherwise SHA-256. `almanac proof verify FILE` and the page `/verify` check a saved response.',
    params: byId,
    status: 200,
    reply: resource(ProofFile),
    errors: ['NOT_FOUND', 'NOT_COMPLETED', 'WORKSPACE_DENIED'],
  }),
  listModels: operation({
    group: 'Forecast',
    method: 'GET',
    path: '/v1/forecast/models',
    action: 'models.read',
    summary: 'List models, frequencies and limits',
    description:
      'The limits are those of the caller’s plan or, with `workspace_id`, those of the workspace owner’s plan.',
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
    summary: 'Export the predictions of a forecast',
    description: 'Returns a completed forecast as a CSV or JSON file.',
    params: byId,
    query: z.strictObject({ format: z.enum(EXPORT_FORMATS).default('csv') }),
    status: 200,
    reply: resource(EnsembleForecast),
    attachment: true,
    errors: ['NOT_FOUND', 'NOT_COMPLETED', 'WORKSPACE_DENIED'],
  }),
  prepareSaveForecast: operation({
    group: 'Forecast',
    method: 'POST',
    path: `${PATH}/{forecast_id}/prepare-save`,
    action: 'forecast.prepare_save',
    summary: 'Prepare to save a guest’s forecast',
    description:
      'A guest calls this operation before signing in, for one of its own completed private forecasts. The response sets a cookie with which this browser can save the forecast once, within 15 minutes. Any earlier cookie stops working.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ forecast_id: z.string(), ready_to_sign_in: z.boolean() })),
    guestsOnly: true,
    errors: ['NOT_FOUND', 'OWNERSHIP_REQUIRED', 'NOT_COMPLETED'],
  }),
  saveForecast: operation({
    group: 'Forecast',
    method: 'POST',
    path: `${PATH}/{forecast_id}/save`,
    action: 'forecast.save',
    summary: 'Save a forecast to the account',
    description:
      'Saves a forecast of the account, or a guest’s forecast for which prepare-save set a cookie in this browser. The guest’s forecast then belongs to the account. Repeating the request is safe.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ forecast_id: z.string(), saved: z.boolean() })),
    errors: ['NOT_FOUND', 'OWNERSHIP_REQUIRED', 'NOT_COMPLETED', 'WORKSPACE_DENIED', 'LICENSE_DENIED', 'LIMIT_REACHED'],
  }),
};
