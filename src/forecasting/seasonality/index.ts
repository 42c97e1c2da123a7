import { fillGaps } from '../numerics/fill-gaps.ts';
import { seasonCandidates } from './candidates.ts';
import { seasonEvidence } from './season-evidence.ts';
import { stableChanges } from './stabilise.ts';

export { seasonCandidates } from './candidates.ts';

/** Evidence below this is taken for chance. On generated series without a season it lets through about one in a hundred. */
const LEAST_EVIDENCE = 2.5;

/**
 * The season of a series, in periods; 1 when there is none to be seen. Where a longer season holds a shorter one (a
 * week of hours and its days), the longer is given only if it shows beyond the shorter.
 *
 * @param candidates seasons to look for, or a frequency such as '1h' that names them
 * @example detectSeason(monthlyValues, '1MS') // 12 or 1
 */
export function detectSeason(values: Float64Array, candidates: readonly number[] | string): number {
  const seasons = typeof candidates === 'string' ? seasonCandidates(candidates) : candidates;
  const filled = fillGaps(values);
  if (filled.some((value) => !Number.isFinite(value))) return 1;
  const scales = [stableChanges(filled)];
  // Swings that grow with the level hide behind the largest ones; their logarithms do not.
  if (filled.every((value) => value > 0)) scales.push(stableChanges(filled.map(Math.log)));

  let found = 1;
  let strongest = LEAST_EVIDENCE;
  for (const season of [...seasons].sort((a, b) => a - b)) {
    if (season < 2) continue;
    const evidence = Math.max(...scales.map((changes) => seasonEvidence(changes, season, found)));
    // One that holds the shorter was tested on what the shorter leaves; strangers compete.
    const holdsShorter = season % found === 0;
    if (evidence < LEAST_EVIDENCE || (!holdsShorter && evidence <= strongest)) continue;
    found = season;
    strongest = evidence;
  }
  return found;
}
