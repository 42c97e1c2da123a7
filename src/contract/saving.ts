import { z } from 'zod';
import { identifier } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

const byId = z.strictObject({ forecast_id: identifier() });
const PATH = '/v1/ensemble-forecasts/{forecast_id}';

export const savingOperations = {
  prepareSaveForecast: operation({
    group: 'Forecast',
    method: 'POST',
    path: `${PATH}/prepare-save`,
    action: 'forecast.prepare_save',
    summary: 'Get ready to save a guest’s forecast',
    description:
      'For the guest who made a completed private forecast, before signing in. Sets a cookie that lets this browser save this forecast once in the next 15 minutes; one from before stops working.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ forecast_id: z.string(), ready_to_sign_in: z.boolean() })),
    errors: ['NOT_FOUND', 'OWNERSHIP_REQUIRED', 'NOT_COMPLETED'],
  }),
  saveForecast: operation({
    group: 'Forecast',
    method: 'POST',
    path: `${PATH}/save`,
    action: 'forecast.save',
    summary: 'Save a forecast to the account',
    description:
      'The account’s own needs nothing more; a guest’s needs the cookie of prepare-save and then belongs to the account. Repeating it is safe.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ forecast_id: z.string(), saved: z.boolean() })),
    errors: ['NOT_FOUND', 'OWNERSHIP_REQUIRED', 'NOT_COMPLETED', 'WORKSPACE_DENIED'],
  }),
};
