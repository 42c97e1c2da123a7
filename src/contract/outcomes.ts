import { z } from 'zod';
import { identifier, instant } from './fields.ts';
import { operation } from './operation.ts';
import { readTimestamp, TIMESTAMP_RULE } from './read-timestamp.ts';
import { resource } from './replies.ts';
import { EXPORT_FORMATS, OUTCOME_STATUSES } from './vocabulary.ts';

/** Maximum number of points that a request can contain: as many as the longest forecast has steps. */
const MAX_OUTCOME_POINTS = 365;

const measure = () => z.number().nullable();

export const ForecastOutcome = z
  .strictObject({
    forecast_id: z.string(),
    status: z
      .enum(OUTCOME_STATUSES)
      .describe(
        '`waiting`: no row is recorded yet. `partial`: some are. `complete`: no more are added, and the scores are final. `unavailable`: the owner of the forecast cannot read the source now, or the rows never came.',
      ),
    reason: z
      .string()
      .nullable()
      .describe('Why the outcome is unavailable, or which row the source does not have yet.'),
    rows: z
      .array(
        z.strictObject({
          step: z.int().min(1),
          timestamp: instant(),
          actual: z.number(),
          quantiles: z.record(z.string(), z.number()).describe('The predicted quantiles.'),
          replayed: z
            .literal(true)
            .optional()
            .describe('Present if the value could be known when the forecast was made. The row is not scored.'),
          revised_to: z
            .number()
            .optional()
            .describe('The value that the source had later. It does not change `actual` or a score.'),
        }),
      )
      .describe('The rows that are recorded so far, by step.'),
    count: z.int().min(0).describe('Number of scored rows. Replayed rows are not scored.'),
    mae: measure(),
    average_wql: measure(),
    coverage: z
      .record(z.string(), z.number())
      .nullable()
      .describe('The share of the scored rows inside each central interval, by its nominal share.'),
    relative_wql: measure().describe(
      'The quantile loss divided by that of the seasonal naive forecast from the same origin, on the same rows.',
    ),
    revised: z
      .boolean()
      .describe(
        'Whether the source has changed values of recorded rows or of the rows that the forecast was made from.',
      ),
    scale: z
      .number()
      .nullable()
      .describe(
        'The factor by which the source has rescaled its history since, such as 0.25 after a split. The actual values are divided by it. Null if there was no rescaling.',
      ),
    snapshot_id: z.string().nullable().describe('The snapshot of the recorded rows.'),
    next_check_at: instant()
      .nullable()
      .describe(
        'When the source is read again. Null if it is not: the outcome is complete, or a caller sends its rows.',
      ),
  })
  .meta({ id: 'ForecastOutcome' });

const pointTime = () =>
  z.union([z.iso.datetime({ offset: true }), z.iso.date()], { error: TIMESTAMP_RULE }).transform((text, context) => {
    const time = readTimestamp(text);
    if (typeof time === 'number') return time;
    context.addIssue({ code: 'custom', message: time });
    return z.NEVER;
  });

export const OutcomeRequestBody = z.strictObject({
  points: z
    .array(z.strictObject({ timestamp: pointTime(), value: z.number() }))
    .min(1)
    .max(MAX_OUTCOME_POINTS)
    .describe('Values with the timestamps of predictions, in any order. A date without a time means 00:00 UTC.'),
});

const byId = z.strictObject({ forecast_id: identifier() });
const PATH = '/v1/ensemble-forecasts/{forecast_id}/outcome';

export const outcomeOperations = {
  readOutcome: operation({
    group: 'Forecast',
    method: 'GET',
    path: PATH,
    action: 'forecast.read',
    summary: 'Read the outcome of a forecast',
    description:
      'Returns the actual values of the periods that are over and settled, with the predicted quantiles and the scores so far. A job reads them from the source of the forecast, with the present rights of its owner. The format `csv` returns an attachment with the rows and the quantiles of the seasonal naive forecast, from which every score can be computed.',
    params: byId,
    query: z.strictObject({ format: z.enum(EXPORT_FORMATS).default('json') }),
    status: 200,
    reply: resource(ForecastOutcome),
    attachment: true,
    errors: ['NOT_FOUND', 'NOT_COMPLETED', 'WORKSPACE_DENIED', 'SOURCE_DENIED', 'ACCOUNT_REQUIRED'],
  }),
  recordOutcome: operation({
    group: 'Forecast',
    method: 'POST',
    path: PATH,
    action: 'forecast.update',
    summary: 'Send the outcome of a forecast',
    description:
      'Records the actual values of a forecast of inline rows or of a workspace file, whose outcome no job can read. Each step is recorded once: a repeated value is accepted, another value is a conflict. More steps can be sent later. The outcome is complete with the last step; steps before it that were not sent stay without a value.',
    params: byId,
    body: OutcomeRequestBody,
    bodyLimit: { bytes: 64 * 1024 },
    status: 200,
    reply: resource(ForecastOutcome),
    errors: ['NOT_FOUND', 'NOT_COMPLETED', 'CONFLICT', 'UNPROCESSABLE', 'WORKSPACE_DENIED', 'OWNERSHIP_REQUIRED'],
  }),
};
