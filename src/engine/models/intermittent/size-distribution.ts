import type { AbortFlag } from '../../model.ts';
import { exp, log, pow } from '../../numerics/elementary.ts';
import { mergeWeighted, sortWeighted, sumOf, thinOut, type WeightedValues } from './mixture.ts';
import { fitSizes } from './sizes.ts';

/** So many values describe a distribution well enough. */
const MAX_VALUES = 120;
/** The distances of all demands count as so many of those at the same position in the shorter season. */
const SHARED_STRENGTH = 10;
/** A spread needs more data than a mean, so distances are forgotten no faster than this. */
const MIN_HALF_LIFE = 300;
/**
 * A count stands for values around it. Otherwise a middle that lies between two counts would give the same counts as a
 * middle on one of them.
 */
const COUNT_OFFSETS = [-0.4, -0.2, 0, 0.2, 0.4];
const MAX_COUNT = 1e6;

/** Returns the distribution of the size of a demand in period `t`. */
export type SizeDistribution = (t: number) => WeightedValues;

/** @param values the demands; 0 or NaN for a period without one. At least one period has a demand */
export function fitSizeDistribution(
  values: Float64Array,
  periods: readonly number[],
  lag: number,
  signal: AbortFlag | undefined,
): SizeDistribution {
  const sizes = sizeScaleFor(values);
  const onScale = values.map((value) => (value > 0 || value < 0 ? sizes.to(value) : Number.NaN));
  const fit = fitSizes(onScale, periods, lag, signal);
  const period = periods[0] ?? 1;
  const halfLife = Math.max(fit.halfLife, MIN_HALF_LIFE);
  const collect = (position: number | null): WeightedValues => {
    const distances: number[] = [];
    const weights: number[] = [];
    fit.times.forEach((t, i) => {
      if (position !== null && t % period !== position) return;
      const weight = pow(0.5, (values.length - t) / halfLife) / sizes.offsets.length;
      for (const offset of sizes.offsets) {
        const moved = offset === 0 ? 0 : sizes.to((values[t] as number) + offset) - (onScale[t] as number);
        distances.push((fit.distances[i] as number) + moved);
        weights.push(weight);
      }
    });
    return thinOut(sortWeighted(distances, weights), MAX_VALUES);
  };
  const shared = collect(null);
  const byPosition = new Map<number, WeightedValues>();
  return (t) => {
    let distances = shared;
    if (period > 1) {
      const position = t % period;
      const own = byPosition.get(position) ?? collect(position);
      byPosition.set(position, own);
      distances = mergeWeighted(own, 1, shared, SHARED_STRENGTH / sumOf(shared.weights));
    }
    const middle = fit.middle(t);
    return { values: distances.values.map((distance) => sizes.from(middle + distance)), weights: distances.weights };
  };
}

interface SizeScale {
  to(value: number): number;
  from(value: number): number;
  readonly offsets: readonly number[];
}

/** Sizes above zero differ by factors, so their logarithms are smoothed; sizes of both signs are smoothed themselves. */
function sizeScaleFor(values: Float64Array): SizeScale {
  const isWhole = values.every(
    (value) => Number.isNaN(value) || (Number.isInteger(value) && Math.abs(value) < MAX_COUNT),
  );
  if (values.every((value) => !(value < 0))) {
    return isWhole
      ? { to: log, from: (value) => Math.max(1, Math.round(exp(value))), offsets: COUNT_OFFSETS }
      : { to: log, from: (value) => Math.min(Number.MAX_VALUE, exp(value)), offsets: [0] };
  }
  const largest = values.reduce((size, value) => (Math.abs(value) > size ? Math.abs(value) : size), 0);
  const from = (value: number) => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value * largest));
  // Divided by the largest, because sums of huge values overflow.
  return { to: (value) => value / largest, from: isWhole ? (value) => Math.round(from(value)) : from, offsets: [0] };
}
