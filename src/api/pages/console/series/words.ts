import type { Frequency } from '../../../../calendar/index.ts';

const INTERVALS: Partial<Record<Frequency, string>> = {
  '1min': '1 min',
  '5min': '5 min',
  '15min': '15 min',
  '30min': '30 min',
  '1h': '1 hour',
  '4h': '4 hours',
  '1D': 'Day',
  '1W-MON': 'Week',
  '1MS': 'Month',
};

/** Returns the short name of the interval of bars. */
export function nameInterval(frequency: Frequency): string {
  return INTERVALS[frequency] ?? frequency;
}

export const ADJUSTMENT_WORDS: Readonly<Record<string, string>> = {
  raw: 'As traded',
  split: 'For splits',
  all: 'For splits and dividends',
};

export const SESSION_WORDS: Readonly<Record<string, string>> = {
  regular: 'Regular hours',
  extended: 'With early and late hours',
};

export const SIDE_WORDS: Readonly<Record<string, string>> = { bid: 'Bid', ask: 'Ask', trade: 'Trades' };

const DROPPED: Readonly<Record<string, string>> = {
  not_a_number: 'not a number',
  bad_timestamp: 'with an invalid time',
  outside_the_request: 'outside the requested time',
  outside_the_session: 'outside the session',
  not_positive: 'not above zero',
  high_below_low: 'with a high below the low',
  outside_high_and_low: 'with an open or close outside high and low',
  negative_volume: 'with a negative volume',
  absurd: 'far from the bars around them',
  duplicate: 'given twice',
  not_completed: 'not complete',
};

/** @example describeDropped({ duplicate: 2 }) // 2 given twice */
export function describeDropped(dropped: Readonly<Record<string, number>>): string {
  return Object.entries(dropped)
    .filter(([, count]) => count > 0)
    .map(
      ([reason, count]) => `${count} ${Object.hasOwn(DROPPED, reason) ? DROPPED[reason] : reason.replaceAll('_', ' ')}`,
    )
    .join(', ');
}
