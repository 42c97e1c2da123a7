import { asinh, log } from '../../../numerics/elementary.ts';
import { EXTRA_STATISTICS } from '../checkpoint/read-config.ts';
import { flooredSpreadAndStep, type PatchStatistics, type StepStatistics } from './patch-statistics.ts';
import type { PatchedRow } from './patched-row.ts';

/**
 * Converts the first `count` patches of a row to tokens: values in units of their statistics, compressed by asinh,
 * followed by a 1 for each unobserved period and a 0 for each observed one.
 */
export function writeTokens(
  row: PatchedRow,
  statistics: PatchStatistics,
  patchSize: number,
  count: number,
): Float32Array {
  const tokens = new Float32Array(2 * patchSize * count);
  for (let patch = 0; patch < count; patch++) {
    const location = statistics.location[patch] as number;
    const scale = statistics.scale[patch] as number;
    const to = 2 * patchSize * patch;
    for (let i = 0; i < patchSize; i++) {
      const at = patch * patchSize + i;
      if (row.observed[at] === 1) tokens[to + i] = asinh(((row.values[at] as number) - location) / scale);
      else tokens[to + patchSize + i] = 1;
    }
  }
  return tokens;
}

/** The bound on statistics; larger ones carry no further information. */
const MAX_STATISTIC = 8;

/** Appends to each token the statistics of the past at its end. */
export function addExtraStatistics(
  tokens: Float32Array,
  statistics: PatchStatistics,
  steps: StepStatistics,
  count: number,
): Float32Array {
  const width = tokens.length / count;
  const wider = new Float32Array(tokens.length + EXTRA_STATISTICS * count);
  for (let patch = 0; patch < count; patch++) {
    const to = patch * (width + EXTRA_STATISTICS);
    wider.set(tokens.subarray(patch * width, (patch + 1) * width), to);
    wider.set(extraStatistics(statistics, steps, patch), to + width);
  }
  return wider;
}

/** Returns the position of the last value, the smoothness, and the number of observations, each on a bounded scale. */
function extraStatistics(statistics: PatchStatistics, steps: StepStatistics, patch: number): number[] {
  const { spread, step } = flooredSpreadAndStep(statistics, steps, patch);
  const fromMean = (steps.last[patch] as number) - (statistics.location[patch] as number);
  const found = [asinh(fromMean / spread), log(spread / step), log((steps.count[patch] as number) + 1) / 4];
  return found.map((value) => Math.min(Math.max(value, -MAX_STATISTIC), MAX_STATISTIC));
}
