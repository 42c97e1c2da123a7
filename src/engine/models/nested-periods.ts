import type { Cadence } from '../../calendar/index.ts';
import { seasonCandidates } from '../seasonality/candidates.ts';

/** A longer season would have hardly any observation per position. */
const MAX_PERIOD = 1500;
const MAX_PERIODS = 2;

/**
 * Returns the seasons whose positions can differ, the shortest first: each is a multiple of the one before it, such as
 * the day and the week of hours, and the series covers each at least twice. Whether positions do differ is decided by
 * the smoothed means, which share what they know among positions as far as the data ask for it.
 */
export function nestedPeriods(cadence: Cadence, season: number, length: number): readonly number[] {
  const periods: number[] = [];
  const candidates = seasonCandidates(cadence);
  const given = Math.round(season);
  // Tests and callers of a model can state a season that the cadence does not give; it is then the only one.
  for (const period of given > 1 && !candidates.includes(given) ? [given] : candidates) {
    const isNested = period % (periods.at(-1) ?? 1) === 0;
    if (period > 1 && period <= MAX_PERIOD && isNested && 2 * period <= length) periods.push(period);
  }
  return periods.slice(-MAX_PERIODS);
}
