import { log } from '../../numerics/elementary.ts';

/** The logarithm of the likelihood ratio that a change needs besides the logarithm of the number of rows. */
const MIN_ADVANTAGE = 3;
const MIN_ROWS = 4;
/** Each stretch that is tried is longer than the one before it by this factor. */
const GROWTH = 1.15;
/** Before this many rounds, a season's positions have too few rows of their own. */
const MIN_ROUNDS = 4;

/**
 * Returns the first period after the last change of the share of periods with a demand, such as the start or the end of
 * the demand; 0 if there was none. A change is a last stretch of rows that is much more likely with a share of its own
 * than with the shares of the rows before it. Smoothed shares would take weeks to follow such a change.
 *
 * @param occurred 1, 0 or NaN for each period
 */
export function findLastChange(occurred: Float64Array, periods: readonly number[]): number {
  const n = occurred.length;
  let start = 0;
  let largest = log(n) + MIN_ADVANTAGE;
  for (let rows = MIN_ROWS; rows <= n - MIN_ROWS; rows = Math.ceil(rows * GROWTH)) {
    const period = periods.findLast((one) => one * MIN_ROUNDS <= n - rows) ?? 1;
    const gain = advantage(occurred, n - rows, period);
    if (gain > largest) {
      largest = gain;
      start = n - rows;
    }
  }
  return start;
}

/** Returns the logarithm of the likelihood of the rows from `start` with a share of their own, less that with the past. */
function advantage(occurred: Float64Array, start: number, period: number): number {
  const demands = new Float64Array(period);
  const rows = new Float64Array(period);
  for (let t = 0; t < start; t++) {
    if (Number.isNaN(occurred[t])) continue;
    demands[t % period] = (demands[t % period] as number) + (occurred[t] as number);
    rows[t % period] = (rows[t % period] as number) + 1;
  }
  let recent = 0;
  let count = 0;
  let before = 0;
  for (let t = start; t < occurred.length; t++) {
    const outcome = occurred[t] as number;
    if (Number.isNaN(outcome)) continue;
    const share = ((demands[t % period] as number) + 0.5) / ((rows[t % period] as number) + 1);
    before += log(outcome > 0 ? share : 1 - share);
    recent += outcome;
    count++;
  }
  const share = (recent + 0.5) / (count + 1);
  return recent * log(share) + (count - recent) * log(1 - share) - before;
}
