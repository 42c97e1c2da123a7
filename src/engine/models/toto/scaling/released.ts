import { allowedRange } from './allowed-range.ts';
import { backfillShortPatches } from './backfill.ts';
import { cutContext } from './context.ts';
import { patchCourse } from './course.ts';
import { chooseUnits } from './own-units.ts';
import { patchStatistics } from './patch-statistics.ts';
import { restoreKnots } from './restore-knots.ts';
import type { Scaling } from './scaling.ts';
import { emptyPatches } from './void-patches.ts';
import { writeTokens } from './write-tokens.ts';

/** As the original does it for the checkpoints it was released with: results are steps from the mean, in scales. */
export const RELEASED: Scaling = {
  cutContext,
  chooseUnits,
  // The last patch always counts as observed: what fills its gaps is read as if it had been there.
  markObserved: (observed, patchSize) => void observed.fill(1, observed.length - patchSize),
  voidPatches: emptyPatches,
  read: (row, patchSize, leastObservations) => {
    const statistics = patchStatistics(row, patchSize);
    backfillShortPatches(row, statistics, patchSize, leastObservations);
    return { statistics, course: patchCourse(row, patchSize) };
  },
  writeTokens: (row, { statistics }, patchSize, count) => writeTokens(row, statistics, patchSize, count),
  allowedRange: (row, { statistics }, last, mostScales) =>
    mostScales > 0 ? allowedRange(row, statistics.scale[last] as number, mostScales) : undefined,
  restore: (raw, { statistics: { location, scale } }, patch, range) =>
    restoreKnots(raw, location[patch] as number, scale[patch] as number, range),
};
