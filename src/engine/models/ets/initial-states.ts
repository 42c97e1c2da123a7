import { seasonalIndices, straightLine } from '../../numerics/seasonal-adjustment.ts';
import type { SeasonKind } from './form.ts';

export interface InitialStates {
  readonly level: number;
  readonly slope: number;
  /** One index per position in the season, the first one for the first value. */
  readonly season: Float64Array;
  /** The typical change from one value to the next, which is the unit of the search's steps. */
  readonly unit: number;
}

/**
 * Guesses the initial states from which the search starts, as R's forecast::ets does: the seasons come from a
 * decomposition, and level and slope from a line through the first seasonally adjusted values.
 *
 * @param values without gaps
 */
export function guessInitialStates(
  values: Float64Array,
  period: number,
  kind: SeasonKind,
): { withTrend: InitialStates; flat: InitialStates } | null {
  const season = kind === 'none' ? new Float64Array(0) : seasonalIndices(values, period, kind === 'multiplicative');
  if (season === null) return null;
  if (kind === 'multiplicative') for (let s = 0; s < period; s++) season[s] = Math.max(0.01, season[s] as number);
  const adjusted = Float64Array.from(values, (value, t) => {
    const index = season[t % period];
    return index === undefined || kind === 'none' ? value : kind === 'additive' ? value - index : value / index;
  });
  const head = adjusted.subarray(0, Math.min(Math.max(10, 2 * period), values.length));
  const line = straightLine(head);
  const first = line[0] as number;
  const slope = line.length > 1 ? (line[1] as number) - first : 0;
  const mean = head.reduce((sum, value) => sum + value, 0) / head.length;
  let squares = 0;
  for (let t = 1; t < adjusted.length; t++) squares += ((adjusted[t] as number) - (adjusted[t - 1] as number)) ** 2;
  const unit = Math.sqrt(squares / Math.max(1, adjusted.length - 1)) + 1e-6;
  return {
    withTrend: { level: first - slope, slope, season, unit },
    flat: { level: mean, slope: 0, season, unit },
  };
}
