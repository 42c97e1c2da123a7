import type { PatchedRow, PatchStatistics } from './patch-statistics.ts';

/** How a past got where it is: at the end of each patch, over what was observed until there. */
export interface Course {
  readonly count: Float64Array;
  readonly last: Float64Array;
  /** The mean distance from one value to the next. */
  readonly step: Float64Array;
}

/** Neighbours are neighbours among the observed, however far apart: a gap is stepped over. */
export function patchCourse({ values, observed }: PatchedRow, patchSize: number): Course {
  const patches = values.length / patchSize;
  const course = {
    count: new Float64Array(patches),
    last: new Float64Array(patches),
    step: new Float64Array(patches),
  };
  let count = 0;
  let last = 0;
  let way = 0;
  for (let i = 0; i < values.length; i++) {
    if (observed[i] === 1) {
      const value = values[i] as number;
      if (count > 0) way += Math.abs(value - last);
      last = value;
      count++;
    }
    if ((i + 1) % patchSize === 0) {
      const patch = (i + 1) / patchSize - 1;
      course.count[patch] = count;
      course.last[patch] = last;
      course.step[patch] = way / Math.max(count - 1, 1);
    }
  }
  return course;
}

/** Scale and mean step of a past up to a patch. Neither is below a millionth of the level: a flat past has neither. */
export function flooredSizes(
  { location, scale }: PatchStatistics,
  { last, step }: Course,
  patch: number,
): { readonly spread: number; readonly step: number } {
  const floor = 1e-6 * (Math.abs(location[patch] as number) + Math.abs(last[patch] as number)) + 1e-8;
  return { spread: Math.max(scale[patch] as number, floor), step: Math.max(step[patch] as number, floor) };
}
