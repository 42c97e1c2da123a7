import { padContext } from './context.ts';
import { flooredSizes, patchCourse } from './course.ts';
import { chooseNearUnits } from './near-units.ts';
import { patchStatistics } from './patch-statistics.ts';
import { restoreKnots } from './restore-knots.ts';
import type { Scaling } from './scaling.ts';
import { emptyPatchesInside } from './void-patches.ts';
import { writeTokens } from './write-tokens.ts';

/** sinh of it is 600,000: nothing lies further out, so no other limit is needed. */
const MAX_OUTPUT = 14;

/**
 * For checkpoints with anchored output: results are steps from the last value, in a unit between the spread and the
 * mean step. They were trained on pasts of any length with gaps anywhere, so nothing is dropped, filled in or read
 * ahead, and the patches after the last value are as much to be forecast as those asked for.
 */
export const ANCHORED: Scaling = {
  cutContext: padContext,
  chooseUnits: chooseNearUnits,
  markObserved: () => undefined,
  voidPatches: emptyPatchesInside,
  read: (row, patchSize) => ({
    statistics: patchStatistics(row, patchSize),
    course: patchCourse(row, patchSize),
  }),
  writeTokens: (row, { statistics }, patchSize, count) => writeTokens(row, statistics, patchSize, count),
  allowedRange: () => undefined,
  restore: (raw, { statistics, course }, patch, range) => {
    const { spread, step } = flooredSizes(statistics, course, patch);
    const limited = raw.map((value) => Math.min(Math.max(value, -MAX_OUTPUT), MAX_OUTPUT));
    return restoreKnots(limited, course.last[patch] as number, Math.sqrt(spread * step), range);
  },
};
