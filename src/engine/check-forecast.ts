import { checkSeries } from '../calendar/index.ts';
import { checkRequest } from './ensemble/check-request.ts';
import { ForecastError } from './ensemble/forecast-error.ts';
import { supportedLevels } from './ensemble/members.ts';
import { periodsAhead } from './ensemble/periods-ahead.ts';
import { refuseTooFewRows } from './ensemble/plan.ts';
import type { CheckedRequest, ForecastRequest } from './ensemble/request.ts';
import { planWindows } from './ensemble/windows.ts';

/** A request that can be carried out, and how often each model will be fitted to a part of its past at most. */
export interface AcceptedRequest {
  readonly checked: CheckedRequest;
  readonly mostFolds: number;
}

/**
 * Refuses at once what `forecast` would refuse later, or do otherwise than asked, without running anything: for those
 * who take requests now and run them afterwards. Throws a `ForecastError` or a `SeriesError`.
 */
export function checkForecast(request: ForecastRequest, runnable: readonly string[]): AcceptedRequest {
  const checked = checkRequest(request, runnable);
  refuseOrphanQuantile(checked);
  refuseTooFewRows(request.values.length);
  const { times } = checkSeries(checked.cadence, request.timestamps, request.values);
  periodsAhead(checked.cadence, times.at(-1) as number, checked.horizon);
  refuseLogarithmOfNothing(checked, request);
  const { folds } = planWindows(request.values.length, checked.horizon, 1);
  return { checked, mostFolds: checked.weightMode === 'auto' ? folds.length : 0 };
}

/** Where a value has no logarithm `forecast` pools the values themselves, and only its result says so. */
function refuseLogarithmOfNothing({ transform }: CheckedRequest, { timestamps, values }: ForecastRequest): void {
  if (transform !== 'log') return;
  const row = Array.from(values).findIndex((value) => value <= 0);
  if (row < 0) return;
  const found = `${values[row]} at ${new Date(timestamps[row] ?? Number.NaN).toISOString()}`;
  const message = `transform log needs values above 0; there is ${found}. Ask for auto or none.`;
  throw new ForecastError('INVALID_REQUEST', message, 'transform');
}

/** A quantile that no model of the request gives. */
export function refuseOrphanQuantile({ quantiles, models }: CheckedRequest): void {
  const orphan = quantiles.find((quantile) => models.every((id) => !supportedLevels(id, [quantile])[0]));
  if (orphan === undefined) return;
  const message = `None of the models ${models.join(', ')} gives the quantile ${orphan}.`;
  throw new ForecastError('UNSUPPORTED_QUANTILE', message, 'quantiles');
}
