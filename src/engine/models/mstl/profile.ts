import { pow } from '../../numerics/elementary.ts';
import { fillGaps } from '../../numerics/prepare-values.ts';

/** How the pattern of the seasons is smoothed. */
export interface ProfileSettings {
  /** Rows after which a row has half of its weight. */
  readonly halfLife: number;
  /** The neighbors on each side with which a position of the longer season is averaged. */
  readonly reach: number;
  /** The number of rows for which that average counts; infinite if a position has nothing of its own. */
  readonly strength: number;
}

/** The rows that the mean of a position of the shorter season, or of its neighbors, must outweigh. */
const PRIOR_ROWS = 1;

/** Decayed sums of the detrended values at each position of one or two seasons. */
export interface PositionSums {
  readonly periods: readonly number[];
  readonly decays: readonly number[];
  readonly sums: readonly Float64Array[];
  readonly weights: readonly Float64Array[];
}

export function createPositionSums(periods: readonly number[], halfLife: number): PositionSums {
  return {
    periods,
    decays: periods.map((period) => pow(0.5, period / halfLife)),
    sums: periods.map((period) => new Float64Array(period)),
    weights: periods.map((period) => new Float64Array(period)),
  };
}

/** Adds the value of row `t`; call it for each row in order. @param value NaN if there is none */
export function addRow({ periods, decays, sums, weights }: PositionSums, t: number, value: number): void {
  const isObserved = !Number.isNaN(value);
  for (let i = 0; i < periods.length; i++) {
    const position = t % (periods[i] as number);
    const sum = sums[i] as Float64Array;
    const weight = weights[i] as Float64Array;
    const decay = decays[i] as number;
    sum[position] = decay * (sum[position] as number) + (isObserved ? value : 0);
    weight[position] = decay * (weight[position] as number) + (isObserved ? 1 : 0);
  }
}

/**
 * Returns the pattern of the longest season, by position. The shorter season comes first; what the longer one adds at a
 * position is drawn toward what it adds at the neighboring positions, because a few rounds say little about a single
 * one.
 */
export function profileOf(
  { periods, sums, weights }: PositionSums,
  settings: Pick<ProfileSettings, 'reach' | 'strength'>,
): Float64Array {
  const short = (sums[0] as Float64Array).map((sum, p) => sum / ((weights[0]?.[p] as number) + PRIOR_ROWS));
  if (periods.length === 1) return short;
  const [shorter, longer] = periods as [number, number];
  const weight = weights[1] as Float64Array;
  // Positions are counted instead of divided, because this is the inner loop of the choice of settings.
  const added = new Float64Array(longer);
  for (let p = 0, position = 0; p < longer; p++, position = position + 1 === shorter ? 0 : position + 1) {
    added[p] = (sums[1]?.[p] as number) - (weight[p] as number) * (short[position] as number);
  }
  const { reach, strength } = settings;
  const hasOwn = strength < Number.POSITIVE_INFINITY;
  const profile = new Float64Array(longer);
  let sum = 0;
  let rows = 0;
  for (let k = longer - reach; k <= longer + reach; k++) {
    sum += added[k % longer] as number;
    rows += weight[k % longer] as number;
  }
  let leaving = (longer - reach) % longer;
  let entering = (reach + 1) % longer;
  for (let p = 0, position = 0; p < longer; p++, position = position + 1 === shorter ? 0 : position + 1) {
    const around = sum / (rows + PRIOR_ROWS);
    const own = hasOwn ? ((added[p] as number) + strength * around) / ((weight[p] as number) + strength) : around;
    profile[p] = (short[position] as number) + own;
    sum += (added[entering] as number) - (added[leaving] as number);
    rows += (weight[entering] as number) - (weight[leaving] as number);
    leaving = leaving + 1 === longer ? 0 : leaving + 1;
    entering = entering + 1 === longer ? 0 : entering + 1;
  }
  return profile;
}

/**
 * Returns the moving average over one season around each row. Near the ends it is that of the first or last whole season,
 * so that no row is left out.
 */
export function slowLevel(values: Float64Array, period: number): Float64Array {
  const filled = fillGaps(values);
  const n = filled.length;
  const half = period >> 1;
  const sums = new Float64Array(n + 1);
  for (let t = 0; t < n; t++) sums[t + 1] = (sums[t] as number) + (filled[t] as number);
  return filled.map((_, t) => {
    const from = Math.max(0, Math.min(n - period, t - half));
    const to = Math.min(n, from + period);
    return ((sums[to] as number) - (sums[from] as number)) / (to - from);
  });
}
