import type { PatchedRow } from './patched-row.ts';

/** Location and scale of each patch. */
export interface PatchStatistics {
  readonly location: Float64Array;
  readonly scale: Float64Array;
}

/** The smallest scale. A constant past has this scale. */
const MIN_SCALE = 1e-6;

/**
 * Computes the mean and the standard deviation of all observations up to the end of each patch. Because later values do
 * not count, each position is scaled with what was known at that time. Patches without observations keep the statistics
 * of the patch before.
 */
export function patchStatistics({ values, observed }: PatchedRow, patchSize: number): PatchStatistics {
  const patches = values.length / patchSize;
  const location = new Float64Array(patches);
  const scale = new Float64Array(patches);
  let count = 0;
  let sum = 0;
  let mean = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    if (observed[i] === 1) {
      const value = values[i] as number;
      const before = mean;
      count++;
      sum += value;
      mean = sum / count;
      squares += (value - before) * (value - mean);
    }
    if ((i + 1) % patchSize === 0) {
      const patch = (i + 1) / patchSize - 1;
      location[patch] = mean;
      scale[patch] = Math.max(Math.sqrt(squares / Math.max(count - 1, 1)), MIN_SCALE);
    }
  }
  return { location, scale };
}

/**
 * Gives patches that end before the first `minObservations` observations the statistics of these observations. With
 * statistics of two or three values, the first values of a series would look like outliers.
 */
export function backfillShortPatches(
  row: PatchedRow,
  statistics: PatchStatistics,
  patchSize: number,
  minObservations: number,
): void {
  if (minObservations <= 0) return;
  const first = firstObserved(row, minObservations);
  const mean = first.reduce((sum, value) => sum + value, 0) / Math.max(first.length, 1);
  const squares = first.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const scale = Math.max(Math.sqrt(squares / Math.max(first.length - 1, 1)), MIN_SCALE);
  let count = 0;
  for (let patch = 0; patch < statistics.location.length; patch++) {
    for (let i = patch * patchSize; i < (patch + 1) * patchSize; i++) count += row.observed[i] as number;
    if (count >= minObservations) return;
    statistics.location[patch] = mean;
    statistics.scale[patch] = scale;
  }
}

function firstObserved({ values, observed }: PatchedRow, count: number): number[] {
  const first: number[] = [];
  for (let i = 0; i < values.length && first.length < count; i++) {
    if (observed[i] === 1) first.push(values[i] as number);
  }
  return first;
}

/** Statistics of the observations up to the end of each patch, and of the steps between them. */
export interface StepStatistics {
  readonly count: Float64Array;
  readonly last: Float64Array;
  /** The mean absolute change from one observation to the next. */
  readonly step: Float64Array;
}

/** Computes the step statistics. A step leads from one observation to the next, even across a gap. */
export function stepStatistics({ values, observed }: PatchedRow, patchSize: number): StepStatistics {
  const patches = values.length / patchSize;
  const result = {
    count: new Float64Array(patches),
    last: new Float64Array(patches),
    step: new Float64Array(patches),
  };
  let count = 0;
  let last = 0;
  let distance = 0;
  for (let i = 0; i < values.length; i++) {
    if (observed[i] === 1) {
      const value = values[i] as number;
      if (count > 0) distance += Math.abs(value - last);
      last = value;
      count++;
    }
    if ((i + 1) % patchSize === 0) {
      const patch = (i + 1) / patchSize - 1;
      result.count[patch] = count;
      result.last[patch] = last;
      result.step[patch] = distance / Math.max(count - 1, 1);
    }
  }
  return result;
}

/**
 * Returns the scale and the mean step of a past at the end of a patch. Both would be 0 for a flat past, so neither may
 * be below a millionth of the level.
 */
export function flooredSpreadAndStep(
  { location, scale }: PatchStatistics,
  { last, step }: StepStatistics,
  patch: number,
): { readonly spread: number; readonly step: number } {
  const floor = 1e-6 * (Math.abs(location[patch] as number) + Math.abs(last[patch] as number)) + 1e-8;
  return { spread: Math.max(scale[patch] as number, floor), step: Math.max(step[patch] as number, floor) };
}
