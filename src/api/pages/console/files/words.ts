import { isFrequency, PERIOD_WORDS } from '../../../../calendar/index.ts';
import type { CsvFile } from './file-visit.ts';

type Column = CsvFile['columns'][number];

const DELIMITERS: Readonly<Record<CsvFile['delimiter'], string>> = {
  ',': 'Comma ,',
  ';': 'Semicolon ;',
  '\t': 'Tab',
  '|': 'Bar |',
};

export function nameDelimiter(delimiter: CsvFile['delimiter']): string {
  return DELIMITERS[delimiter];
}

const ENCODINGS: Readonly<Record<CsvFile['encoding'], string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
  'windows-1252': 'Windows-1252',
};

export function nameEncoding(encoding: CsvFile['encoding']): string {
  return ENCODINGS[encoding];
}

const TYPES: Readonly<Record<Column['type'], string>> = {
  number: 'Numbers',
  timestamp: 'Times',
  text: 'Text',
  boolean: 'True or false',
  empty: 'Empty',
};

const FORMATS: Readonly<Record<NonNullable<Column['format']>, string>> = {
  decimal_point: 'with a decimal point',
  decimal_comma: 'with a decimal comma',
  iso: 'year first',
  basic: 'year, month, day without marks',
  week: 'weeks',
  month: 'months',
  quarter: 'quarters',
  year: 'years',
  day_first: 'day first',
  month_first: 'month first',
  month_name: 'with names of months',
};

/** @example describeType({ type: 'timestamp', format: 'day_first', … }) // Times, day first */
export function describeType({ type, format, examples }: Column): string {
  // Whole numbers have no decimal mark to speak of.
  const hasMark = type !== 'number' || examples.some((example) => /[.,]/.test(example));
  return format === null || !hasMark ? TYPES[type] : `${TYPES[type]}, ${FORMATS[format]}`;
}

const DATED_BY: Readonly<Record<string, string>> = {
  monday_of_week: 'by the Monday of its week',
  first_day_of_month: 'by the first day of its month',
  last_day_of_month: 'by the last day of its month',
  last_day_of_quarter: 'by the last day of its quarter',
  last_day_of_year: 'by the last day of its year',
  day_as_written: 'by its day as written',
};

/** Returns how the rows of a series got their timestamps, as a sentence; null if their times are unchanged. */
export function describeDating(datedBy: string | null): string | null {
  if (datedBy === null) return null;
  return `Each row is dated ${DATED_BY[datedBy] ?? `by the ${datedBy.replaceAll('_', ' ')}`}.`;
}

/** @example nameFrequency('1MS') // Monthly */
export function nameFrequency(frequency: string): string {
  const adverb = isFrequency(frequency) ? PERIOD_WORDS[frequency].adverb : frequency;
  return `${adverb.charAt(0).toUpperCase()}${adverb.slice(1)}`;
}
