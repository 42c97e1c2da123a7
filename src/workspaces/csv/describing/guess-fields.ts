import { isTimeName, isValueName } from './column-names.ts';
import type { ColumnDescription } from './column-profile.ts';

/** What numbers a row instead of saying something about it. */
const ROW_NAME = /^(?:id|index|idx|no|nr|row|#|unnamed: 0|column_1)$/i;

export interface GuessedFields {
  readonly timeField: string | null;
  readonly valueField: string | null;
}

/**
 * The columns that most likely hold the time and the value of each row: the first column of times, one without gaps
 * before others; and of the columns of numbers one with a telling name, else the first that neither numbers rows nor is
 * called a time. Numbers with a note look like times and are never the value.
 */
export function guessFields(columns: readonly ColumnDescription[]): GuessedFields {
  const times = columns.filter(({ type }) => type === 'timestamp');
  const time = times.find(({ nulls }) => nulls === 0) ?? times[0];
  const numbers = columns.filter(({ type, note }) => type === 'number' && note === null);
  const value =
    numbers.find(({ name }) => isValueName(name)) ??
    numbers.find(({ name }) => !ROW_NAME.test(name) && !isTimeName(name)) ??
    numbers[0];
  return { timeField: time?.name ?? null, valueField: value?.name ?? null };
}
