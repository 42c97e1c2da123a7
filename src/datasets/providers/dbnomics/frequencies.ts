import { HALF_YEARLY, TWO_MONTHLY, TWO_WEEKLY } from '../parse-period.ts';
import type { FrequencyByDimension, StatedFrequency } from '../provider.ts';

const DAILY: StatedFrequency = { frequency: '1D' };
const WEEKLY: StatedFrequency = { frequency: '1W-MON' };
const MONTHLY: StatedFrequency = { frequency: '1ME' };
const QUARTERLY: StatedFrequency = { frequency: '1QE' };
const YEARLY: StatedFrequency = { frequency: '1YE' };

/** The names in the field @frequency of a series. */
const BY_NAME: ReadonlyMap<unknown, StatedFrequency> = new Map<unknown, StatedFrequency>([
  ['annual', YEARLY],
  ['bi-annual', HALF_YEARLY],
  ['quarterly', QUARTERLY],
  ['bi-monthly', TWO_MONTHLY],
  ['monthly', MONTHLY],
  ['weekly', WEEKLY],
  ['daily', DAILY],
]);

/** Returns the frequency that a series states; undefined if the name is not one of DBnomics. */
export function frequencyOfName(name: unknown): StatedFrequency | undefined {
  return BY_NAME.get(name);
}

/** Codes that mean the same to all publishers. H is hourly or half-yearly, and B is business-daily or two-monthly. */
const BY_CODE: ReadonlyMap<string, StatedFrequency> = new Map([
  ['A', YEARLY],
  ['S', HALF_YEARLY],
  ['Q', QUARTERLY],
  ['M', MONTHLY],
  ['W', WEEKLY],
  ['D', DAILY],
]);

/** Words in the labels of frequencies, in English and French. The first that occurs decides. */
const BY_WORD: readonly (readonly [RegExp, StatedFrequency])[] = [
  [/half-?month|semi-?month|twice a month/, { unsupported: 'half-monthly' }],
  [/bi-?month|two-?month|every (two|2) months|bimestr/, TWO_MONTHLY],
  [/bi-?week|two-?week|every (two|2) weeks|fortnight/, TWO_WEEKLY],
  [/half|semi-?annual|bi-?annual|semest|twice a year/, HALF_YEARLY],
  [/biennial|two-?year|every (two|2) years/, { unsupported: 'two-yearly' }],
  [/quinquenn|five-?year|every (five|5) years/, { unsupported: 'five-yearly' }],
  [/decenn|ten-?year|every (ten|10) years/, { unsupported: 'ten-yearly' }],
  [/minute/, { unsupported: 'minutely' }],
  [/hour/, { unsupported: 'hourly' }],
  // Daily is before weekly because of "Daily - businessweek", and day is after it because of "Weekly (Friday)".
  [/daily|business|quotidien|journali/, DAILY],
  [/week|hebdomadaire/, WEEKLY],
  [/quarter|trimestri/, QUARTERLY],
  [/month|mensuel/, MONTHLY],
  [/annual|year|annuel/, YEARLY],
  [/day/, DAILY],
];

/** Returns the frequency that a value of a frequency dimension means. */
function frequencyOfValue(value: string, label: string): StatedFrequency {
  const text = label.toLowerCase();
  const known = text === value.toLowerCase() ? undefined : BY_WORD.find(([words]) => words.test(text))?.[1];
  return known ?? frequencyOfCode(value) ?? { unsupported: 'irregular' };
}

/** Returns the frequency of a code that means the same to all publishers. */
function frequencyOfCode(code: string): StatedFrequency | undefined {
  return BY_CODE.get(code.toUpperCase()) ?? BY_NAME.get(code.toLowerCase());
}

const FREQUENCY_FIELD = /^freq(uency)?$/i;

/** Returns the frequency by the dimension of a data set that decides it; null if there is none. */
export function findFrequencyDimension(
  dimensions: readonly { readonly field: string; readonly values: readonly { value: string; label: string }[] }[],
): FrequencyByDimension | null {
  const dimension = dimensions.find(({ field }) => FREQUENCY_FIELD.test(field));
  if (dimension === undefined) return null;
  const byValue = dimension.values.map(({ value, label }) => [value, frequencyOfValue(value, label)] as const);
  return { dimension: dimension.field, byValue: Object.fromEntries(byValue) };
}

/** Returns the frequency that the dimensions of a series state with a clear code; undefined otherwise. */
export function frequencyOfDimensions(dimensions: Readonly<Record<string, unknown>>): StatedFrequency | undefined {
  const [, code] = Object.entries(dimensions).find(([field]) => FREQUENCY_FIELD.test(field)) ?? [];
  return typeof code === 'string' ? frequencyOfCode(code) : undefined;
}

/** Returns whether two frequencies are the same. */
export function isSameFrequency(a: StatedFrequency, b: StatedFrequency): boolean {
  return nameOf(a) === nameOf(b);
}

/** Returns whether a frequency is the daily one. */
export function isDaily(stated: StatedFrequency): boolean {
  return isSameFrequency(stated, DAILY);
}

function nameOf(stated: StatedFrequency): string {
  return 'frequency' in stated ? stated.frequency : stated.unsupported;
}
