import { z } from 'zod';
import { identifier, instant, text, timestamp } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { EXPORT_FORMATS } from './vocabulary.ts';

const IntervalRecord = z
  .strictObject({
    interval: z.string().describe('The nominal share of the interval, as in `coverage` of a forecast, such as `0.8`.'),
    nominal: z.number(),
    inside: z.int().describe('Number of rows inside the interval, including its edges.'),
    rows: z.int().describe('Number of rows of the forecasts that state this interval.'),
    share: z.number(),
    low: z.number().describe('Lower end of the 95% Wilson interval of `share`, as if the rows were independent.'),
    high: z.number(),
  })
  .meta({ id: 'IntervalRecord' });

const figures = {
  forecasts: z.int(),
  rows: z.int().describe('Number of scored rows.'),
  relative_wql: z
    .number()
    .nullable()
    .describe(
      'Geometric mean over forecasts of the quantile loss relative to the seasonal naive forecast from the same origin. Below 1 is better than that forecast. Null if no forecast can be compared.',
    ),
  compared: z
    .int()
    .describe(
      'Number of forecasts in `relative_wql`. The others have a seasonal naive forecast without error, or none.',
    ),
  coverage: z.array(IntervalRecord),
};

const record = {
  ...figures,
  deciles: z
    .array(
      z.strictObject({
        from: z.number(),
        to: z.number(),
        rows: z
          .number()
          .describe('Not always whole: a row at the edge of several tenths counts in parts for each of them.'),
        share: z.number().nullable().describe('0.1 in every tenth if the forecasts are calibrated; null without rows.'),
      }),
    )
    .describe(
      'How many rows lay in each tenth of the predicted distribution. Forecasts whose quantiles do not reach from 0.1 to 0.9, or leave a gap of more than 0.4, do not count.',
    ),
  bands: z
    .array(z.strictObject({ steps: z.string().meta({ examples: ['2-5'] }), ...figures }))
    .describe('The same by bands of steps. Bands without rows are absent.'),
};

export const TrackRecord = z
  .strictObject({
    definition: z.string(),
    forecasts: z.int().describe('Number of forecasts whose scores are added up.'),
    reported: z
      .int()
      .describe(
        'How many of them have outcomes that a caller sent: those of inline rows and workspace files. No provider confirms these.',
      ),
    truncated: z
      .boolean()
      .describe('Whether forecasts with older outcomes were left out. Request a shorter period to include them.'),
    from: instant().nullable().describe('When the earliest of the forecasts was created; null if there are none.'),
    to: instant().nullable().describe('When the latest of the forecasts was created; null if there are none.'),
    ensemble: z.strictObject(record).meta({ id: 'EnsembleRecord' }),
    models: z.array(z.strictObject({ model: z.string(), ...record }).meta({ id: 'ModelRecord' })),
  })
  .meta({ id: 'TrackRecord' });

const flag = () =>
  z
    .enum(['true', 'false'])
    .default('false')
    .transform((choice) => choice === 'true');

export const trackRecordOperations = {
  readTrackRecord: operation({
    group: 'Forecast',
    method: 'GET',
    path: '/v1/forecast/track-record',
    action: 'track_record.read',
    summary: 'Read the track record',
    description:
      'Adds up the scores of completed outcomes, for the ensemble and by member model: the loss relative to the seasonal naive forecast, the coverage of intervals and the calibration. Covers the caller’s own forecasts, those of the caller’s workspaces and public ones, up to the latest 10,000 outcomes. A CSV file has one line for each forecast, model and scored step, from which every figure can be computed; its header `x-truncated` is `true` if older outcomes were left out.',
    query: z.strictObject({
      workspace_id: identifier().optional(),
      model: text({ max: 60 })
        .optional()
        .describe('Includes only forecasts with this member model, and of the models only this one.'),
      source: text({ max: 300 })
        .optional()
        .describe('The type of a source, or its symbol, series id or table (case-insensitive).'),
      horizon: z.coerce.number().int().min(1).max(365).optional(),
      from: timestamp().optional().describe('Includes forecasts created at or after this instant.'),
      to: timestamp().optional().describe('Includes forecasts created before this instant.'),
      stamped: flag().describe(
        'If `true`, includes only forecasts that were stamped before their first scored row could be known.',
      ),
      mine: flag().describe('If `true`, includes only forecasts that the caller owns.'),
      format: z.enum(EXPORT_FORMATS).default('json'),
    }),
    weight: 10,
    heavy: 'export_work',
    status: 200,
    reply: resource(TrackRecord),
    attachment: true,
    errors: ['WORKSPACE_DENIED'],
  }),
};
