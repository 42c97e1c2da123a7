import { canonicalJson } from '../contract/canonical-json.ts';
import { type ForecastResult, fillAuditMetrics } from './ensemble/result.ts';

/** How the result of a repeated forecast compares with the first result. */
export interface Comparison {
  readonly outcome: 'exact' | 'within_tolerance' | 'differs';
  /**
   * The largest distance between two predicted values, in standard deviations of the series. Null if the results do not
   * predict the same quantiles of the same periods, or if they differ although the series is constant.
   */
  readonly largest_difference: number | null;
}

/**
 * Results of earlier builds may differ in the last digits. Results of neural runtimes differ more between processors.
 */
const TOLERANCE = 1e-6;
const NEURAL_TOLERANCE = 1e-4;
const NEURAL_MODELS: readonly string[] = ['toto'];

/**
 * Returns a result as canonical JSON. Machines with the same fingerprint produce the same bytes for the same request.
 */
export function canonicalResult(result: ForecastResult): string {
  return canonicalJson(result);
}

/**
 * Compares two results of the same request. The outcome is `exact` if their canonical bytes are equal; fields that were
 * added after the first result was stored are ignored. It is `within_tolerance` if both have the same weighting method
 * and no predicted value differs by more than rounding explains. Otherwise it is `differs`.
 *
 * @param first the stored result
 * @param second the result of running the request again
 * @param spread the standard deviation of the series, in the units of its values
 */
export function compareResults(first: ForecastResult, second: ForecastResult, spread: number): Comparison {
  const [stored, repeated] = [first, second].map((result) => canonicalResult(inFormOf(first, result)));
  if (stored === repeated) return { outcome: 'exact', largest_difference: 0 };
  const distance = largestDistance(first, second);
  if (distance === null) return { outcome: 'differs', largest_difference: null };
  const difference = spread > 0 ? distance / spread : distance === 0 ? 0 : null;
  const isNeural = second.members.some(({ model }) => NEURAL_MODELS.includes(model));
  const isClose = difference !== null && difference <= (isNeural ? NEURAL_TOLERANCE : TOLERANCE);
  const isSameMethod = first.weighting?.selected_method === second.weighting?.selected_method;
  return { outcome: isClose && isSameMethod ? 'within_tolerance' : 'differs', largest_difference: difference };
}

/**
 * Returns the largest distance between two predicted values; null if the results do not predict the same quantiles of
 * the same periods.
 */
function largestDistance(first: ForecastResult, second: ForecastResult): number | null {
  if (first.predictions.length !== second.predictions.length) return null;
  let largest = 0;
  for (const [i, one] of first.predictions.entries()) {
    const other = second.predictions[i];
    const keys = Object.keys(one.quantiles);
    if (other === undefined || one.timestamp !== other.timestamp) return null;
    if (canonicalJson(keys) !== canonicalJson(Object.keys(other.quantiles))) return null;
    for (const key of keys) {
      largest = Math.max(largest, Math.abs((one.quantiles[key] as number) - (other.quantiles[key] as number)));
    }
  }
  return largest;
}

/**
 * Returns a result with metrics in place of null, and without the fields that were added after the first result was
 * stored. These fields are not digits of the forecast.
 */
function inFormOf(first: ForecastResult, result: ForecastResult): ForecastResult {
  if (result.weighting === undefined) return result;
  const weighting = fillAuditMetrics(result.weighting);
  const { prior_weights, ...earlier } = weighting;
  return { ...result, weighting: first.weighting?.prior_weights === undefined ? earlier : weighting };
}
