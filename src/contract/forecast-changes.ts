import { z } from 'zod';
import { identifier } from './fields.ts';
import { EnsembleForecast } from './forecast-views.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { VISIBILITIES } from './vocabulary.ts';

const byId = z.strictObject({ forecast_id: identifier() });
const PATH = '/v1/ensemble-forecasts';

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

/** The operations that change a forecast after it was created, or describe one before it is. */
export const forecastChangeOperations = {
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
