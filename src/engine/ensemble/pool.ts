import type { Weights } from '../weighting/panel.ts';
import { REFERENCE, type SpreadCalibration } from '../weighting/spread-calibration.ts';
import type { QuantileRows } from './members.ts';
import type { PoolingSpace } from './pooling-space.ts';

/**
 * One row of quantiles from those of several members: average of the quantile values in the pooling space, then the
 * spread stretched around the median, then sorted.
 *
 * @param rows by member; null for one without a forecast, which must have no weight
 * @param levels ascending, with the median among them
 */
export function poolRows(
  rows: readonly (QuantileRows | null)[],
  weights: Weights,
  levels: readonly number[],
  space: PoolingSpace,
  calibration: SpreadCalibration,
): Float64Array[] {
  const steps = rows.find((member) => member !== null)?.length ?? 0;
  return Array.from({ length: steps }, (_, step) => {
    const pooled = poolRow(rows, weights, space, step);
    const median = pooled[levels.indexOf(REFERENCE.median)] as number;
    const stretched = pooled.map((value, q) => {
      const factor = (levels[q] as number) < REFERENCE.median ? calibration.lower : calibration.upper;
      return finite(space.leave(median + factor * (value - median)));
    });
    return stretched.sort();
  });
}

/** The average of the members' quantiles at one step, still in the pooling space. */
export function poolRow(
  rows: readonly (QuantileRows | null)[],
  weights: Weights,
  space: PoolingSpace,
  step: number,
): Float64Array {
  return Float64Array.from(weights, (shares, q) => {
    let sum = 0;
    for (let i = 0; i < shares.length; i++) {
      const share = shares[i] as number;
      if (share !== 0) sum += share * space.enter(((rows[i] as QuantileRows)[step] as Float64Array)[q] as number);
    }
    return sum;
  });
}

/** What overflows stays at the largest number; no result has a negative zero. */
function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value)) + 0;
}
