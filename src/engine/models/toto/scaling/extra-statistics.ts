import { EXTRA_STATISTICS } from '../checkpoint/index.ts';
import { type Course, flooredSizes } from './course.ts';
import type { PatchStatistics } from './patch-statistics.ts';

/** Beyond it, a statistic says no more. */
const MOST = 8;

/** Tokens of any width, each followed by what was known of the past at its end. */
export function addExtraStatistics(
  tokens: Float32Array,
  statistics: PatchStatistics,
  course: Course,
  count: number,
): Float32Array {
  const width = tokens.length / count;
  const wider = new Float32Array(tokens.length + EXTRA_STATISTICS * count);
  for (let patch = 0; patch < count; patch++) {
    const to = patch * (width + EXTRA_STATISTICS);
    wider.set(tokens.subarray(patch * width, (patch + 1) * width), to);
    wider.set(extraStatistics(statistics, course, patch), to + width);
  }
  return wider;
}

/** Where the series stands, how smooth it is, and how much of it was seen. */
function extraStatistics(statistics: PatchStatistics, course: Course, patch: number): number[] {
  const { spread, step } = flooredSizes(statistics, course, patch);
  const fromMean = (course.last[patch] as number) - (statistics.location[patch] as number);
  const found = [
    Math.asinh(fromMean / spread),
    Math.log(spread / step),
    Math.log((course.count[patch] as number) + 1) / 4,
  ];
  return found.map((value) => Math.min(Math.max(value, -MOST), MOST));
}
