import { MIN_SCALE, type PatchedRow, type PatchStatistics } from './patch-statistics.ts';

/**
 * Patches that end before `least` observations are there take the statistics of the first `least`: those of two or
 * three values would make the first values of a series look like outliers.
 */
export function backfillShortPatches(
  row: PatchedRow,
  statistics: PatchStatistics,
  patchSize: number,
  least: number,
): void {
  if (least <= 0) return;
  const first = firstObserved(row, least);
  const mean = first.reduce((sum, value) => sum + value, 0) / Math.max(first.length, 1);
  const squares = first.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const scale = Math.max(Math.sqrt(squares / Math.max(first.length - 1, 1)), MIN_SCALE);
  let count = 0;
  for (let patch = 0; patch < statistics.location.length; patch++) {
    for (let i = patch * patchSize; i < (patch + 1) * patchSize; i++) count += row.observed[i] as number;
    if (count >= least) return;
    statistics.location[patch] = mean;
    statistics.scale[patch] = scale;
  }
}

function firstObserved({ values, observed }: PatchedRow, most: number): number[] {
  const first: number[] = [];
  for (let i = 0; i < values.length && first.length < most; i++) {
    if (observed[i] === 1) first.push(values[i] as number);
  }
  return first;
}
