import { FREQUENCIES, type Frequency } from '../frequencies.ts';
import { gridOf } from '../grid.ts';
import { periodStart } from '../periods.ts';
import type { RowNumber } from '../series-error.ts';
import { formatInstant } from '../time-range.ts';
import type { Spacing } from './find-spacing.ts';
import { hasConstantPosition } from './position-in-period.ts';

/** Words for sentences about a period: "rows are `adverb`" and "two rows are in the same `noun`". */
export const PERIOD_WORDS: Readonly<Record<Frequency, { readonly adverb: string; readonly noun: string }>> = {
  '1min': { adverb: 'one minute apart', noun: 'minute' },
  '5min': { adverb: '5 minutes apart', noun: '5-minute period' },
  '15min': { adverb: '15 minutes apart', noun: '15-minute period' },
  '30min': { adverb: '30 minutes apart', noun: 'half hour' },
  '1h': { adverb: 'hourly', noun: 'hour' },
  '4h': { adverb: '4 hours apart', noun: '4-hour period' },
  '1D': { adverb: 'daily', noun: 'day' },
  '1W-MON': { adverb: 'weekly', noun: 'week' },
  '1MS': { adverb: 'monthly', noun: 'month' },
  '1ME': { adverb: 'monthly', noun: 'month' },
  '1QE': { adverb: 'quarterly', noun: 'quarter' },
  '1YE': { adverb: 'yearly', noun: 'year' },
};

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'] as const;

/** Returns why rows with this spacing have no frequency, and what to do about it. */
export function describeSpacing(spacing: Spacing, times: ArrayLike<number>, rowNumber: RowNumber): string {
  if (spacing.kind === 'step') {
    return `The rows are ${spacing.step} apart, and no frequency has that step. Resample them to one of ${FREQUENCIES.join(', ')}.`;
  }
  const { frequency } = spacing;
  const { adverb, noun } = PERIOD_WORDS[frequency];
  if (spacing.kind === 'floating') {
    return `The rows are ${adverb}, but not always in the same month of the ${noun}. Date ${frequency} rows by ${gridOf({ frequency, kind: 'plain' }).rule}.`;
  }
  if (spacing.kind === 'shared') {
    const [one, other] = [spacing.index - 1, spacing.index].map(
      (row) => `${rowNumber(row)} (${formatInstant(times[row] as number)})`,
    );
    return `The rows are ${adverb}, but rows ${one} and ${other} are in the same ${noun}. Send one row for each ${noun}.`;
  }
  const rule = `Date ${frequency} rows by ${ruleOf(frequency)}.`;
  const { contains } = gridOf({ frequency, kind: 'plain' });
  const off = Array.from(times).findIndex((time) => !contains(time));
  // If only some rows are off the grid, they are mistakes.
  if (off >= 0 && Array.from(times).some(contains)) {
    return `The rows are ${adverb}, but row ${rowNumber(off)} is dated ${formatInstant(times[off] as number)}. ${rule}`;
  }
  return `The rows are ${adverb}, dated ${describePosition(frequency, times)}. ${rule}`;
}

function ruleOf(frequency: Frequency): string {
  const { rule } = gridOf({ frequency, kind: 'plain' });
  return frequency === '1MS' ? `${rule}, or 1ME rows by the last` : rule;
}

function describePosition(frequency: Frequency, times: ArrayLike<number>): string {
  const first = times[0] as number;
  if (frequency !== '1W-MON' || periodStart('1D', first) !== first) return `like ${formatInstant(first)}`;
  return hasConstantPosition(frequency, times)
    ? `on ${WEEKDAYS[new Date(first).getUTCDay()]}`
    : 'on different weekdays';
}
