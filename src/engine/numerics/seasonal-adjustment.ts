import { fillGaps } from './fill-gaps.ts';
import { seasonalIndices } from './seasonal-indices.ts';
import { hasSeason } from './seasonal-test.ts';

/** A series with its average season taken out, and the way back. */
export interface SeasonalAdjustment {
  readonly adjusted: Float64Array;
  /** How many indices were estimated; 0: no season was found and nothing was changed. */
  readonly indices: number;
  /** Puts the season of each step after the series back into its row. */
  restore(rows: Float64Array[]): Float64Array[];
}

/** Indices this small would blow the adjusted values up. */
const MIN_INDEX = 1e-2;

/**
 * Takes the season out where the data show one: by division where all values are positive (then seasons mostly grow
 * with the level), by subtraction otherwise or where an index is close to zero. Gaps stay gaps.
 */
export function adjustSeason(values: Float64Array, period: number, isPositive: boolean): SeasonalAdjustment {
  const none = { adjusted: values, indices: 0, restore: (rows: Float64Array[]) => rows };
  if (period < 2 || values.length <= 2 * period) return none;
  const filled = fillGaps(values);
  if (!hasSeason(filled, period)) return none;
  const ratios = isPositive ? seasonalIndices(filled, period, true) : null;
  const isRatio = ratios?.every((index) => index > MIN_INDEX) === true;
  const indices = isRatio ? ratios : seasonalIndices(filled, period, false);
  if (indices === null) return none;
  const index = (t: number): number => indices[t % period] as number;
  return {
    adjusted: values.map((value, t) => (isRatio ? value / index(t) : value - index(t))),
    indices: period - 1,
    restore: (rows) =>
      rows.map((row, h) =>
        row.map((value) => (isRatio ? value * index(values.length + h) : value + index(values.length + h))),
      ),
  };
}
