import { type ColumnDescription, type ColumnProfile, isTimeName, isValueName } from './column-profile.ts';

/** Names of columns that number the rows. */
const ROW_NUMBER_NAME = /^(?:id|index|idx|no|nr|row|#|unnamed: 0|column_1)$/i;

export interface GuessedFields {
  readonly timeField: string | null;
  readonly valueField: string | null;
}

/** Returns the descriptions of the columns of a file, each corrected by what the other columns are. */
export function describeColumns(profiles: readonly ColumnProfile[]): ColumnDescription[] {
  const columns = profiles.map((profile) => profile.describe());
  const time = columns.find(isCertainTime) ?? columns.find(({ type }) => type === 'timestamp');
  return columns.map((column, index) => {
    if (isPossibleYear(column) && column !== time) return { ...column, type: 'number', format: 'decimal_point' };
    const epochNote = profiles[index]?.epochNote ?? null;
    const canBeTime = isTimeName(column.name) || time === undefined;
    return column.type === 'number' && epochNote !== null && canBeTime ? { ...column, note: epochNote } : column;
  });
}

/** Returns whether a column has ascending or descending four-digit numbers, but not the name of a time. */
function isPossibleYear({ format, name }: ColumnDescription): boolean {
  return format === 'year' && !isTimeName(name);
}

function isCertainTime(column: ColumnDescription): boolean {
  return column.type === 'timestamp' && !isPossibleYear(column);
}

/**
 * Returns the columns that most likely hold the time and the value of each row: the first column of times, preferably
 * without gaps; and of the columns of numbers one with a common name for values, else the first that neither numbers the
 * rows nor has the name of a time. Numbers with a note look like times and are never the value.
 */
export function guessFields(columns: readonly ColumnDescription[]): GuessedFields {
  const times = columns.filter(({ type }) => type === 'timestamp');
  const time = times.find(({ nulls }) => nulls === 0) ?? times[0];
  const numbers = columns.filter(({ type, note }) => type === 'number' && note === null);
  const value =
    numbers.find(({ name }) => isValueName(name)) ??
    numbers.find(({ name }) => !ROW_NUMBER_NAME.test(name) && !isTimeName(name)) ??
    numbers[0];
  return { timeField: time?.name ?? null, valueField: value?.name ?? null };
}
