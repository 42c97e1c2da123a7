import { type ColumnDescription, type ColumnProfile, isTimeName, isValueName } from './column-profile.ts';

/** Names of columns that contain the numbers of the rows. */
const ROW_NUMBER_NAME = /^(?:id|index|idx|no|nr|row|#|unnamed: 0|column_1)$/i;

export interface GuessedFields {
  readonly timeField: string | null;
  readonly valueField: string | null;
}

/** Returns the descriptions of the columns of a file. The type of a column can depend on the other columns. */
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

/** Returns whether the values of a column look like years, but its name does not indicate a time. */
function isPossibleYear({ format, name }: ColumnDescription): boolean {
  return format === 'year' && !isTimeName(name);
}

function isCertainTime(column: ColumnDescription): boolean {
  return column.type === 'timestamp' && !isPossibleYear(column);
}

/**
 * Returns the columns that most likely contain the time and the value of each row. The time is the first column of
 * times, preferably one without missing cells. The value is a column of numbers with a common name for values or, if
 * there is none, the first that is neither a row number nor named like a time. Numbers with a note look like times and
 * are not used.
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
