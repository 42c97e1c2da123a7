import { FREQUENCIES, type Frequency } from '../frequencies.ts';
import { gridOf } from '../grid.ts';
import { periodStart } from '../periods.ts';
import { sayInstant } from '../time-range.ts';
import type { Rhythm } from './find-rhythm.ts';
import { keepsItsPlace } from './place-in-period.ts';

/** A period in a sentence: rows of it are …, two of them are in the same …. */
export const PERIOD_WORDS: Readonly<Record<Frequency, { readonly adverb: string; readonly noun: string }>> = {
  '1min': { adverb: 'one a minute', noun: 'minute' },
  '5min': { adverb: 'five minutes apart', noun: 'five minutes' },
  '15min': { adverb: 'one a quarter of an hour', noun: 'quarter of an hour' },
  '30min': { adverb: 'half-hourly', noun: 'half hour' },
  '1h': { adverb: 'hourly', noun: 'hour' },
  '4h': { adverb: 'four hours apart', noun: 'four hours' },
  '1D': { adverb: 'daily', noun: 'day' },
  '1W-MON': { adverb: 'weekly', noun: 'week' },
  '1MS': { adverb: 'monthly', noun: 'month' },
  '1ME': { adverb: 'monthly', noun: 'month' },
  '1QE': { adverb: 'quarterly', noun: 'quarter' },
  '1YE': { adverb: 'yearly', noun: 'year' },
};

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'] as const;

/** What keeps rows of a rhythm from having a frequency, and what to do about it. */
export function sayRhythm(rhythm: Rhythm, times: ArrayLike<number>): string {
  if (rhythm.kind === 'step') {
    return `The rows are ${rhythm.step} apart, for which there is no frequency. There are ${FREQUENCIES.join(', ')}: make rows of one of these.`;
  }
  const { frequency } = rhythm;
  const { adverb, noun } = PERIOD_WORDS[frequency];
  if (rhythm.kind === 'floating') {
    return `The rows are ${adverb}, but not always in the same month of the ${noun}. ${frequency} rows are dated by ${gridOf({ frequency, kind: 'plain' }).rule}: date them so.`;
  }
  if (rhythm.kind === 'shared') {
    const [one, other] = [rhythm.index - 1, rhythm.index].map((row) => `${row} (${sayInstant(times[row] as number)})`);
    return `The rows are ${adverb}, but the rows ${one} and ${other} lie in the same ${noun}. Send one for each ${noun}.`;
  }
  return `The rows are ${adverb}, dated ${sayPlace(frequency, times)}; ${frequency} rows are dated by ${ruleOf(frequency)}: shift them.`;
}

function ruleOf(frequency: Frequency): string {
  const { rule } = gridOf({ frequency, kind: 'plain' });
  return frequency === '1MS' ? `${rule}, 1ME rows by the last` : rule;
}

function sayPlace(frequency: Frequency, times: ArrayLike<number>): string {
  const first = times[0] as number;
  if (frequency !== '1W-MON' || periodStart('1D', first) !== first) return `like ${sayInstant(first)}`;
  return keepsItsPlace(frequency, times) ? `by ${WEEKDAYS[new Date(first).getUTCDay()]}` : 'by different weekdays';
}
