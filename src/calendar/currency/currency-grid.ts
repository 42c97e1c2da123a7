import { DAY_MS, EARLIEST_INSTANT, formatInstant, LATEST_INSTANT } from '../time-range.ts';
import type { Grid } from '../timestamp-grid.ts';
import { tradingWeek, tradingWeekNumber } from './trading-week.ts';

/**
 * Returns the grid of currency bars: the UTC periods of one length, at most a day, that overlap the trading hours. The
 * first and the last period of a week may extend beyond them, because periods are aligned to UTC: Sunday's daily bar
 * holds the two or three hours after the open. Holidays are not closed hours, because currencies have no common
 * calendar of holidays.
 */
export function currencyGrid(step: number): Grid {
  const boundsOf = (number: number) => {
    const { open, close } = tradingWeek(number);
    return { number, first: Math.floor(open / step) * step, last: Math.floor((close - 1) / step) * step };
  };
  // Rows are in order, so the week is nearly always the same as in the previous call.
  let cached = boundsOf(0);
  const weekOf = (timestamp: number) => {
    const number = tradingWeekNumber(timestamp);
    if (cached.number !== number) cached = boundsOf(number);
    return cached;
  };
  // A clock change moves a week by one hour. Periods of up to an hour move with it, and longer ones stay in place, so
  // all weeks with known hours have the same number of periods, as do all weeks before them.
  const countIn = (number: number) => {
    const { first, last } = boundsOf(number);
    return (last - first) / step + 1;
  };
  const [countBefore, count] = [countIn(-1), countIn(0)];
  /** Returns the number of periods from the start of week 0 to a timestamp; negative before it. */
  const rank = (timestamp: number) => {
    const { number, first } = weekOf(timestamp);
    return number * (number < 0 ? countBefore : count) + (timestamp - first) / step;
  };

  return {
    rule:
      step === DAY_MS
        ? 'a day on which currencies trade, at 00:00 UTC'
        : 'the start of a period in which currencies trade, Sunday 17:00 to Friday 17:00 in New York',
    earliest: EARLIEST_INSTANT,
    latest: LATEST_INSTANT,
    contains(timestamp) {
      if (timestamp % step !== 0) return false;
      const { first, last } = weekOf(timestamp);
      return timestamp >= first && timestamp <= last;
    },
    next(timestamp) {
      const { number, last } = weekOf(timestamp);
      const next = timestamp < last ? timestamp + step : boundsOf(number + 1).first;
      if (next > LATEST_INSTANT) throw new RangeError(`${formatInstant(next)} is after the year 2200.`);
      return next;
    },
    steps: (from, to) => rank(to) - rank(from),
  };
}
