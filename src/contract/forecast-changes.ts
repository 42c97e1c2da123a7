import { z } from 'zod';
import { identifier } from './fields.ts';
import { EnsembleForecast } from './forecast-views.ts';
import { forecastOperations } from './forecasts.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { FORECAST_ACTIONS, VISIBILITIES } from './vocabulary.ts';

const byId = z.strictObject({ forecast_id: identifier() });
const PATH = '/v1/ensemble-forecasts';
const { createForecast } = forecastOperations;

const ForecastChangeBody = z
  .strictObject({
    title: name({ max: 200 })
      .nullable()
      .optional()
      .describe('The new title; null removes it. The slug does not change.'),
    visibility: z
      .enum(VISIBILITIES)
      .optional()
      .describe(
        '`workspace` requires a forecast in a workspace. Guests cannot choose `public`. Only the creator can choose `private`.',
      ),
  })
  .refine(({ title, visibility }) => title !== undefined || visibility !== undefined, {
    error: 'must contain a title or a visibility',
  });

export const ForecastEstimate = z
  .strictObject({
    credits: z
      .int()
      .min(0)
      .describe('The price of the forecast: models × (folds + 2) × thousands of rows, rounded up.'),
    credits_left: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'The caller’s credits that are left this month, before this forecast; null if they are unlimited, and in a workspace of another owner, who pays.',
      ),
    rows: z.int().describe('Number of rows that the forecast would read.'),
    folds: z
      .int()
      .describe(
        'Largest number of folds that each model is fitted on, as the price counts them; 0 with manual weights and in fast mode.',
      ),
    models: z.array(z.string()).describe('The models that the forecast would fit. The price counts these.'),
    not_fitted_models: z
      .array(z.string())
      .optional()
      .describe(
        'Members of the default ensemble that the forecast would not fit, because they do not lower the errors on such series; absent if there are none. Name them in `models` to fit them.',
      ),
    frequency: z.string(),
    season: z.int().describe('The season in periods that the forecast would detect; 1 if none.'),
    warnings: z.array(z.string()).describe('What limits the forecast, each with a remedy; empty if nothing does.'),
  })
  .meta({ id: 'ForecastEstimate' });

const AllowedActions = z
  .strictObject({
    forecast_id: z.string(),
    is_own: z.boolean().describe('Whether the caller created the forecast or saved it.'),
    actions: z.array(z.enum(FORECAST_ACTIONS)),
  })
  .meta({ id: 'AllowedActions' });

/** The operations that change a forecast after it was created, or describe one before it is. */
export const forecastChangeOperations = {
  estimateForecast: operation({
    group: 'Forecast',
    method: 'POST',
    path: `${PATH}/estimate`,
    action: 'forecast.create',
    summary: 'Estimate a forecast',
    description:
      'Takes the body of a new forecast, reads its rows and returns the price and what is known before it runs. Stores nothing and takes neither a slot nor credits. A request that could not create a forecast now is refused with the same error.',
    body: createForecast.body,
    weight: createForecast.weight,
    heavy: createForecast.heavy,
    bodyLimit: createForecast.bodyLimit,
    status: 200,
    reply: resource(ForecastEstimate),
    errors: createForecast.errors.filter((code) => code !== 'IDEMPOTENCY_MISMATCH'),
  }),
  listForecastActions: operation({
    group: 'Forecast',
    method: 'GET',
    path: `${PATH}/{forecast_id}/actions`,
    action: 'forecast.read',
    summary: 'List what the caller may do with a forecast',
    description:
      'Returns which of these actions the caller may take now: `update` (title and visibility), `cancel`, `delete` and `reproduce`. Pages use it to offer only those. An action that is listed can still be refused for another reason, such as missing credits.',
    params: byId,
    status: 200,
    reply: resource(AllowedActions),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED'],
  }),
  updateForecast: operation({
    group: 'Forecast',
    method: 'PATCH',
    path: `${PATH}/{forecast_id}`,
    action: 'forecast.update',
    summary: 'Change the title or the visibility of a forecast',
    description:
      'Changes a forecast in any state. The creator can change it and, unless it is private, members of its workspace with the permission `forecast.update`. The slug and a stored proof do not change. A completed forecast that becomes public is handed over to be stamped if the policy of the service selects it.',
    params: byId,
    body: ForecastChangeBody,
    status: 200,
    reply: resource(EnsembleForecast),
    conditional: true,
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED', 'OWNERSHIP_REQUIRED', 'LIMIT_REACHED'],
  }),
};
