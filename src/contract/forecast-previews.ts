import { z } from 'zod';
import { identifier, instant, text } from './fields.ts';
import { MAX_PREVIEW_VALUES } from './market-search.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

export const MAX_PREVIEWED_FORECASTS = 50;
const COUNT_RULE = `must be 1 to ${MAX_PREVIEWED_FORECASTS} ids, separated by commas`;

const values = () => z.array(z.number()).max(MAX_PREVIEW_VALUES);

export const ForecastPreview = z
  .strictObject({
    subject: z.string().describe('The source and the horizon, such as `^GSPC, 30 sessions`, whatever the title is.'),
    until: instant().nullable().describe('The last predicted timestamp; null until the forecast has completed.'),
    ends_at: instant()
      .nullable()
      .describe('When the last predicted period is over; null until the forecast has completed.'),
    history: values().describe(
      'The last rows that the forecast was made from. Empty if the rows were removed, or if the caller may read the forecast but not its rows.',
    ),
    median: values().describe(
      'The predicted medians, as far apart as the values of `history`. Empty until the forecast has completed, and without the quantile 0.5.',
    ),
    low: values().describe('The lower edges of the 80% interval or, without it, of the widest one.'),
    high: values(),
  })
  .meta({ id: 'ForecastPreview' });

const ids = text({ max: MAX_PREVIEWED_FORECASTS * 101 })
  .transform((list) => [...new Set(list.split(','))])
  .refine((list) => list.length <= MAX_PREVIEWED_FORECASTS, { error: COUNT_RULE })
  .refine((list) => list.every((id) => identifier().safeParse(id).success), { error: COUNT_RULE });

export const forecastPreviewOperations = {
  previewForecasts: operation({
    group: 'Forecast',
    method: 'GET',
    path: '/v1/ensemble-forecasts/previews',
    action: 'forecast.read',
    summary: 'Preview forecasts',
    description:
      'Returns a few values of each forecast, from which a list can draw small lines. Ids of forecasts that do not exist, or that the caller may not read, are left out.',
    query: z.strictObject({
      ids: ids.describe(`The ids of at most ${MAX_PREVIEWED_FORECASTS} forecasts, separated by commas.`),
    }),
    weight: 2,
    status: 200,
    reply: resource(z.strictObject({ previews: z.record(z.string(), ForecastPreview) })),
  }),
};
