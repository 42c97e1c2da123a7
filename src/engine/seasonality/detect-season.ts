import type { Cadence, Frequency } from '../../calendar/index.ts';
import { sortedQuantile } from '../numerics/distributions.ts';
import { log } from '../numerics/elementary.ts';
import { fillGaps } from '../numerics/prepare-values.ts';
import { straightLine } from '../numerics/seasonal-adjustment.ts';
import { seasonCandidates } from './candidates.ts';
import { seasonEvidence } from './season-evidence.ts';

/** Weaker evidence counts as chance. About one in a hundred generated series without a season exceeds it. */
const MIN_EVIDENCE = 2.2;

/**
 * Returns the season of a series in periods; 1 if none is detected. A season that is a multiple of a shorter one, such
 * as the week in hourly data, is returned only if there is evidence for it beyond the shorter season.
 *
 * @param among the seasons to test for, or the frequency or cadence that determines them
 * @example detectSeason(monthlyValues, '1MS') // 12 or 1
 */
export function detectSeason(values: Float64Array, among: readonly number[] | Frequency | Cadence): number {
  const steps = detectSeasonInSteps(values, among);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Detects a season like `detectSeason`, in steps that each take tens of milliseconds for 50,000 values, so that a caller
 * can do other work in between.
 */
export function* detectSeasonInSteps(
  values: Float64Array,
  among: readonly number[] | Frequency | Cadence,
): Generator<void, number> {
  const candidates = isList(among) ? among : seasonCandidates(among);
  const largest = values.reduce(
    (largestSize, value) => (Math.abs(value) > largestSize ? Math.abs(value) : largestSize),
    0,
  );
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return 1;
  // In units of the largest value, because the difference of two huge values may overflow.
  const filled = fillGaps(values.map((value) => value / largest));
  const scales = [stableChanges(filled)];
  yield;
  // A season that grows with the level can be detected in the logarithms even if its largest swings hide the smaller
  // ones.
  if (filled.every((value) => value > 0)) scales.push(stableChanges(filled.map(log)));

  let found = 1;
  let strongest = MIN_EVIDENCE;
  for (const season of [...candidates].sort((a, b) => a - b)) {
    if (season < 2) continue;
    const evidences: number[] = [];
    for (const changes of scales) {
      yield;
      evidences.push(seasonEvidence(changes, season, found));
    }
    const evidence = Math.max(...evidences);
    // The harmonics of the season found so far did not count as evidence for its multiples, so a multiple may replace
    // it. Any other season competes with it.
    const isMultiple = season % found === 0;
    if (evidence < MIN_EVIDENCE || (!isMultiple && evidence <= strongest)) continue;
    found = season;
    strongest = evidence;
  }
  return found;
}

/** `Array.isArray` does not narrow a read-only array. */
function isList(among: readonly number[] | Frequency | Cadence): among is readonly number[] {
  return Array.isArray(among);
}

/** Smaller changes are rounding errors of a straight line. */
const ROUNDING = 1e-11;

/**
 * Returns the changes from one value to the next. Changes have neither level nor trend. They are clipped, so that one
 * outlier cannot pass for a season. The first change leads along the trend from the last value to the first one, so
 * that there is one change per value and whole seasons of values give whole seasons of changes.
 *
 * @param values without gaps, scaled to a size of about 1, or their logarithms
 */
function stableChanges(values: Float64Array): Float64Array {
  const n = values.length;
  if (n < 2) return new Float64Array(n);
  const line = straightLine(values);
  const level = values.map((value, t) => value - (line[t] as number));
  const changes = level.map((value, t) => value - (level[t > 0 ? t - 1 : n - 1] as number));
  const ascending = changes.slice(1).sort();
  const middle = sortedQuantile(ascending, 0.5);
  // A month that differs from the rest of the year causes two of twelve changes, and these must not be clipped.
  const limit = 2 * Math.max(middle - sortedQuantile(ascending, 0.05), sortedQuantile(ascending, 0.95) - middle);
  if (!(limit > ROUNDING)) return changes.fill(0);
  return changes.map((change) => Math.min(Math.max((change - middle) / limit, -1), 1));
}
