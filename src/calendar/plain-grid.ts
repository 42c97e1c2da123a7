import type { Frequency } from './frequencies.ts';
import { countPeriods, periodEnd, periodTimestamp } from './periods.ts';
import { EARLIEST_INSTANT, LATEST_INSTANT } from './time-range.ts';
import type { Grid } from './timestamp-grid.ts';

const RULES: Record<Frequency, string> = {
  '1min': 'a full minute',
  '5min': 'a full five minutes of the hour',
  '15min': 'a full quarter of an hour',
  '30min': 'a full half hour',
  '1h': 'a full hour in UTC',
  '4h': '00:00, 04:00, 08:00, 12:00, 16:00 or 20:00 UTC',
  '1D': '00:00 UTC',
  '1W-MON': 'a Monday at 00:00 UTC',
  '1MS': 'the first day of a month at 00:00 UTC',
  '1ME': 'the last day of a month at 00:00 UTC',
  '1QE': 'the last day of a calendar quarter at 00:00 UTC',
  '1YE': '31 December at 00:00 UTC',
};

/** Returns the grid of every UTC period of a frequency, without breaks. */
export function plainGrid(frequency: Frequency): Grid {
  return {
    rule: RULES[frequency],
    earliest: EARLIEST_INSTANT,
    latest: LATEST_INSTANT,
    contains: (timestamp) => periodTimestamp(frequency, timestamp) === timestamp,
    next: (timestamp) => periodTimestamp(frequency, periodEnd(frequency, timestamp)),
    steps: (from, to) => countPeriods(frequency, from, to),
  };
}
