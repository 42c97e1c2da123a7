import { differenceAll, isConstant } from './differences.ts';
import type { Criterion, Data } from './estimate.ts';
import type { Orders } from './orders.ts';
import type { SearchLimits } from './search.ts';
import { firstDifferences, seasonalDifferences } from './unit-roots.ts';

/** What to search among, for one series. */
export interface Plan {
  readonly data: Data;
  /** The orders all candidates share: differences, season, and whether a mean is worth trying. */
  readonly base: Orders;
  readonly limits: SearchLimits;
  readonly criterion: Criterion;
}

/** A season longer than this gets one seasonal term of each kind: two would look back too far. */
const SHORT_SEASON = 24;
/** A season longer than this is only differenced: its terms would make the state too large. */
const LONGEST_MODELLED = 400;

/** Decides on differences and limits as Hyndman and Khandakar do, from a complete series. */
export function plan(y: Float64Array, season: number): Plan {
  const n = y.length;
  const D = seasonalDifferences(y, season);
  const d = firstDifferences(differenceAll(y, 0, D, season));
  const w = differenceAll(y, d, D, season);
  const third = Math.floor(n / 3);
  const most = season === 1 || season > LONGEST_MODELLED ? 0 : season > SHORT_SEASON ? 1 : 2;
  // A series that differencing leaves constant has nothing more to explain.
  const explained = isConstant(w);
  const seasonal = explained ? 0 : Math.min(most, Math.floor(third / season));
  const plain = explained ? 0 : Math.min(5, third, seasonal > 0 ? season - 1 : 5);
  return {
    data: { y, w },
    base: { p: 0, d, q: 0, P: 0, D, Q: 0, season, constant: d + D <= 1 },
    limits: { maxP: plain, maxQ: plain, maxSeasonalP: seasonal, maxSeasonalQ: seasonal },
    criterion: n > 150 || season > 12 ? 'conditional' : 'exact',
  };
}
