import { type Cadence, checkSeries, futureTimestamps } from '../calendar/index.ts';
import { checkRequest } from './ensemble/check-request.ts';
import { areLevelsSupported } from './ensemble/members.ts';
import { requireEnoughRows } from './ensemble/plan.ts';
import { type CheckedRequest, ForecastError, type ForecastRequest } from './ensemble/request.ts';
import { planWindows } from './ensemble/windows.ts';

/** A request that `forecast` can run. */
export interface AcceptedRequest {
  /** The request with its defaults filled in. */
  readonly checked: CheckedRequest;
  /** The largest number of folds that each model will be fitted on; 0 with manual weights and in fast mode. */
  readonly maxFolds: number;
}

/**
 * Checks a request without running a model, for callers that accept a request now and run it later. Throws a
 * `ForecastError` or a `SeriesError` for every request that `forecast` would refuse. Also refuses a `log` transform if
 * a value has no logarithm; `forecast` would ignore the transform.
 *
 * @param request the series, and how to forecast it
 * @param availableModels ids of the models that can run here; the request may name only these
 */
export function checkForecast(request: ForecastRequest, availableModels: readonly string[]): AcceptedRequest {
  const checked = checkRequest(request, availableModels);
  requireSupportedQuantiles(checked);
  requireEnoughRows(request.values.length);
  const { times } = checkSeries(checked.cadence, request.timestamps, request.values);
  forecastTimestamps(checked.cadence, times.at(-1) as number, checked.horizon);
  requirePositiveValuesForLog(checked, request);
  const { folds } = planWindows(request.values.length, checked.horizon, 1);
  const hasFolds = checked.weightMode === 'auto' && checked.mode === 'full';
  return { checked, maxFolds: hasFolds ? folds.length : 0 };
}

/**
 * Refuses a `log` transform of values at or below 0. `forecast` would ignore the transform, and only its result would
 * show that.
 */
function requirePositiveValuesForLog({ transform }: CheckedRequest, { timestamps, values }: ForecastRequest): void {
  if (transform !== 'log') return;
  const row = Array.from(values).findIndex((value) => value <= 0);
  if (row < 0) return;
  const timestamp = new Date(timestamps[row] ?? Number.NaN).toISOString();
  const message = `transform log needs values above 0, but the value at ${timestamp} is ${values[row]}. Use auto or none.`;
  throw new ForecastError('INVALID_REQUEST', message, 'transform');
}

/** Refuses a quantile that none of the requested models supports. */
export function requireSupportedQuantiles({ quantiles, models }: CheckedRequest): void {
  const unsupported = quantiles.find((quantile) => models.every((id) => !areLevelsSupported(id, [quantile])[0]));
  if (unsupported === undefined) return;
  const message = `None of the models ${models.join(', ')} gives the quantile ${unsupported}.`;
  throw new ForecastError('UNSUPPORTED_QUANTILE', message, 'quantiles');
}

/** Returns the timestamps after `last`. Refuses a horizon that extends beyond the last date of the calendar. */
export function forecastTimestamps(cadence: Cadence, last: number, horizon: number): Float64Array {
  try {
    return futureTimestamps(cadence, last, horizon);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = `horizon reaches beyond the supported dates: ${error.message} Request fewer periods.`;
    throw new ForecastError('INVALID_REQUEST', message, 'horizon');
  }
}
