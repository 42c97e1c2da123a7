import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { type ForecastFormats, formatsOf } from '../../../../wording/index.ts';
import { attempt } from '../refusals.ts';
import type { Visitor } from '../visitor.ts';
import type { Forecast } from './replay-request.ts';
import { type ReplayScore, type ScoredRow, scoreReplay } from './score-replay.ts';

type History = Output<Operations['readForecastHistory']>;

/** A forecast with what came after its cutoff. */
export interface Replay {
  readonly forecast: Forecast;
  readonly formats: ForecastFormats;
  readonly history: History['rows'];
  /** The values that came, as far as they are known. */
  readonly came: readonly (ScoredRow & { readonly step: number; readonly timestamp: string })[];
  readonly score: ReplayScore;
}

/** The rows of the original forecast that the page reads: a chart shows fewer, and a replay ends within them. */
const MAX_ROWS = 5_000;
/** The rows of history for each step in a chart, so that the forecast takes a quarter of its small width. */
const ROWS_PER_STEP = 3;

/** Reads the rows that a forecast was made from. The last one is that from which cutoffs are counted. */
export function readOriginalRows(
  visitor: Visitor,
  { forecast_id: id }: Pick<Forecast, 'forecast_id'>,
): Promise<History> {
  return visitor.call('readForecastHistory', { params: { forecast_id: id }, query: { limit: MAX_ROWS } });
}

/**
 * Reads what a replay predicted and what came. Recorded outcomes come first; until the job that reads them has run, the
 * rows of the original forecast have the same values.
 */
export async function readReplay(visitor: Visitor, forecast: Forecast, original: History): Promise<Replay> {
  const params = { forecast_id: forecast.forecast_id };
  const { frequency, horizon } = forecast.settings;
  const formats = formatsOf(forecast.predictions, frequency as Parameters<typeof formatsOf>[1]);
  const isDone = forecast.status === 'completed';
  // The forecast begins at the last row of the history, so that row takes no width.
  const limit = Math.min(MAX_ROWS, ROWS_PER_STEP * horizon + 1);
  const history = !isDone
    ? { rows: [] }
    : forecast.forecast_id === original.forecast_id
      ? { rows: original.rows.slice(-limit) }
      : await attempt(() => visitor.call('readForecastHistory', { params, query: { limit } }));
  const outcome = isDone ? await attempt(() => visitor.call('readOutcome', { params })) : { rows: [] };
  const actuals = new Map(original.rows.map(({ timestamp, value }) => [timestamp, value]));
  if (!(outcome instanceof Fault)) for (const { timestamp, actual } of outcome.rows) actuals.set(timestamp, actual);
  const came = forecast.predictions.flatMap(({ timestamp, quantiles }, index) => {
    const actual = actuals.get(timestamp) ?? null;
    return actual === null ? [] : [{ step: index + 1, timestamp, quantiles, actual }];
  });
  return { forecast, formats, history: history instanceof Fault ? [] : history.rows, came, score: scoreReplay(came) };
}
