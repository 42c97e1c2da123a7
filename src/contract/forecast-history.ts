import { z } from 'zod';
import { identifier, instant } from './fields.ts';
import { MAX_OBSERVATIONS } from './market-search.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

const DEFAULT_ROWS = 500;

const ForecastHistory = z
  .strictObject({
    forecast_id: z.string(),
    snapshot_id: z.string(),
    title: z.string().nullable().describe('The title of the series; null if the source states none.'),
    units: z.string().nullable(),
    publisher: z.string().nullable(),
    license: z.string().nullable().describe('The name of the license of the rows.'),
    count: z.int().min(0).describe('Number of rows in this response.'),
    truncated: z.boolean().describe('Whether older rows exist beyond the limit.'),
    rows: z
      .array(z.strictObject({ timestamp: instant(), value: z.number().nullable() }))
      .describe('The oldest row first. A value of null is missing.'),
  })
  .meta({ id: 'ForecastHistory' });

export const forecastHistoryOperations = {
  readForecastHistory: operation({
    group: 'Forecast',
    method: 'GET',
    path: '/v1/ensemble-forecasts/{forecast_id}/history',
    action: 'forecast.read',
    summary: 'Read the rows that a forecast was made from',
    description:
      'Returns the latest rows of the snapshot of a forecast. A public forecast does not make its rows public: the caller needs access to the source. Rows that were sent with the request are returned only to the caller that sent them and to members of its workspace that may read the forecast.',
    params: z.strictObject({ forecast_id: identifier() }),
    query: z.strictObject({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(MAX_OBSERVATIONS)
        .default(DEFAULT_ROWS)
        .describe('Maximum number of rows. The latest rows are returned.'),
    }),
    status: 200,
    reply: resource(ForecastHistory),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED', 'SOURCE_DENIED', 'ACCOUNT_REQUIRED', 'LICENSE_DENIED', 'UNPROCESSABLE'],
  }),
};
