import type { Cadence, Frequency } from '../../calendar/index.ts';
import { fillGaps } from '../numerics/fill-gaps.ts';
import { seasonCandidates } from './candidates.ts';
import { seasonEvidence } from './season-evidence.ts';
import { stableChanges } from './stabilise.ts';

export { seasonCandidates, usualSeason } from './candidates.ts';

/** Evidence below this is taken for chance. On generated series without a season it lets through about one in a hundred. */
const MIN_EVIDENCE = 2.2;

/**
 * The season of a series, in periods; 1 when there is none to be seen. Where a longer season holds a shorter one (a
 * week of hours and its days), the longer is given only if it shows beyond the shorter.
 *
 * @param among seasons to look for, or the frequency or cadence that names them
 * @example detectSeason(monthlyValues, '1MS') // 12 or 1
 */
export function detectSeason(values: Float64Array, among: readonly number[] | Frequency | Cadence): number {
  const candidates = isList(among) ? among : seasonCandidates(among);
  const largest = values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 0);
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return 1;
  // In units of the largest: the difference of two huge values must not overflow.
  const filled = fillGaps(values.map((value) => value / largest));
  const scales = [stableChanges(filled)];
  // Swings that grow with the level hide behind the largest ones; their logarithms do not.
  if (filled.every((value) => value > 0)) scales.push(stableChanges(filled.map(Math.log)));

  let found = 1;
  let strongest = MIN_EVIDENCE;
  for (const season of [...candidates].sort((a, b) => a - b)) {
    if (season < 2) continue;
    const evidence = Math.max(...scales.map((changes) => seasonEvidence(changes, season, found)));
    // One that holds the shorter was tested on what the shorter leaves; strangers compete.
    const holdsShorter = season % found === 0;
    if (evidence < MIN_EVIDENCE || (!holdsShorter && evidence <= strongest)) continue;
    found = season;
    strongest = evidence;
  }
  return found;
}

/** `Array.isArray` does not tell a read-only array from the rest. */
function isList(among: readonly number[] | Frequency | Cadence): among is readonly number[] {
  return Array.isArray(among);
}
