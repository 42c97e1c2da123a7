import { canonicalJson } from './canonical-json.ts';
import type { ForecastResult } from './ensemble/result.ts';

/** How a forecast that was run again compares with the first one. */
export interface Comparison {
  readonly outcome: 'exact' | 'within_tolerance' | 'differs';
  /** The largest distance between two predicted values, in units of the series' spread; null where they do not match up. */
  readonly largest_difference: number | null;
}

/** Other machines round the last digits of exp and log differently; neural runtimes more than that. */
const TOLERANCE = 1e-6;
const NEURAL_TOLERANCE = 1e-4;
const NEURAL_MODELS: readonly string[] = ['toto'];

/**
 * The part of a result that must be the same bytes wherever the same engine runs the same request: everything it says.
 */
export function canonicalResult(result: ForecastResult): string {
  return canonicalJson(result);
}

/**
 * @param spread of the series, in the units of its values (its standard deviation)
 */
export function compareResults(first: ForecastResult, second: ForecastResult, spread: number): Comparison {
  if (canonicalResult(first) === canonicalResult(second)) return { outcome: 'exact', largest_difference: 0 };
  const distance = largestDistance(first, second);
  if (distance === null) return { outcome: 'differs', largest_difference: null };
  const difference = spread > 0 ? distance / spread : distance === 0 ? 0 : null;
  const isNeural = second.members.some(({ model }) => NEURAL_MODELS.includes(model));
  const isClose = difference !== null && difference <= (isNeural ? NEURAL_TOLERANCE : TOLERANCE);
  const sameMethod = first.weighting?.selected_method === second.weighting?.selected_method;
  return { outcome: isClose && sameMethod ? 'within_tolerance' : 'differs', largest_difference: difference };
}

/** Null where the two do not predict the same quantiles of the same periods. */
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
