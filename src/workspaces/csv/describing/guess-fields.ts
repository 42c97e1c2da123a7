import type { ColumnDescription } from './column-profile.ts';

/** What people call the column that matters. */
const VALUE_NAMES = ['value', 'values', 'y', 'close', 'price', 'amount', 'total', 'sales', 'demand', 'count', 'wert'];
/** What numbers a row instead of saying something about it. */
const ROW_NAME = /^(?:id|index|idx|no|nr|row|#|unnamed: 0|column_1)$/i;

export interface GuessedFields {
  readonly timeField: string | null;
  readonly valueField: string | null;
}

/**
 * The columns that most likely hold the time and the value of each row: the first column of times, one without gaps
 * before others; and of the columns of numbers one with a telling name, else the first that does not merely number rows.
 */
export function guessFields(columns: readonly ColumnDescription[]): GuessedFields {
  const times = columns.filter(({ type }) => type === 'timestamp');
  const time = times.find(({ nulls }) => nulls === 0) ?? times[0];
  const numbers = columns.filter(({ type }) => type === 'number');
  const value =
    numbers.find(({ name }) => VALUE_NAMES.includes(name.toLowerCase())) ??
    numbers.find(({ name }) => !ROW_NAME.test(name)) ??
    numbers[0];
  return { timeField: time?.name ?? null, valueField: value?.name ?? null };
}
