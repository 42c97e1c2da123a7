import type { UnstoredCsv } from '../../workspaces/index.ts';
import { columnNotFound, dateOrderUnknown, noColumn } from '../failures.ts';

type Column = UnstoredCsv['columns'][number];

/** What the options choose of a file; undefined for what is to be found out. */
export interface GivenColumns {
  readonly time: string | undefined;
  readonly value: string | undefined;
  readonly where: Readonly<Record<string, string>>;
}

export interface ChosenColumns {
  readonly time: Column;
  readonly value: Column;
}

const MAX_SHOWN = 20;

/** Returns the columns of the times and the values. Throws a failure with the line and what to do if one is missing. */
export function chooseColumns(file: UnstoredCsv, name: string, given: GivenColumns): ChosenColumns {
  for (const column of Object.keys(given.where)) requireColumn(file, '--where', column);
  const excluded = Object.keys(given.where);
  const time = given.time ?? file.guess([...excluded, ...named(given.value)]).timeField;
  if (time === null) throw explainMissing(file, name, 'times');
  const timeColumn = requireColumn(file, '--time', time);
  requireDateOrder(timeColumn, name);
  const value = given.value ?? file.guess([...excluded, time]).valueField;
  if (value === null) throw explainMissing(file, name, 'numbers');
  return { time: timeColumn, value: requireColumn(file, '--value', value) };
}

function named(column: string | undefined): string[] {
  return column === undefined ? [] : [column];
}

function requireColumn({ columns }: UnstoredCsv, option: string, wanted: string): Column {
  const column = columns.find(({ name }) => name === wanted);
  if (column === undefined) throw columnNotFound(option, wanted, listColumns(columns));
  return column;
}

/** The note of such a column names the option of an upload, and not that of the command line. */
function requireDateOrder({ times }: Column, name: string): void {
  if (times?.kind === 'ambiguous') throw dateOrderUnknown(name, times.line, times.cell);
}

/** Returns the failure for a file without a column of times or numbers, with the line of the mistake if there is one. */
function explainMissing({ columns }: UnstoredCsv, name: string, what: 'times' | 'numbers') {
  if (what === 'times') for (const column of columns) requireDateOrder(column, name);
  const problem = findMistake(columns) ?? (what === 'times' ? findWrongShape(columns) : findSigns(columns));
  if (problem !== null) return noColumn(name, what, problem);
  const [advice, option] =
    what === 'times'
      ? ['Add a column with a date such as 2024-01-31 in each row', '--time']
      : ['Add a column with a number in each row', '--value'];
  return noColumn(name, what, `Its columns are ${listColumns(columns)}. ${advice}, or name the column with ${option}.`);
}

/** Returns the mistake in a column that nearly has times or numbers. */
function findMistake(columns: readonly Column[]): string | null {
  const column = columns.find(({ note }) => note !== null);
  if (column === undefined || column.note === null) return null;
  if (!column.note.startsWith('line ')) return `The column ${JSON.stringify(column.name)}: ${column.note}`;
  return column.note.includes('is not a number') ? `${column.note} Correct it, or leave the cell empty.` : column.note;
}

/** Returns why a whole file is of a wrong shape: titles above the table, another delimiter, or years side by side. */
function findWrongShape(columns: readonly Column[]): string | null {
  const [only, ...others] = columns;
  if (only !== undefined && others.length === 0) {
    return `line 1: the table has one column, ${JSON.stringify(only.name)}. Remove lines above the names of the columns, or name what separates cells with --delimiter.`;
  }
  const years = columns.filter(({ name }) => /^(?:1[89]|20)\d\d(?:\D|$)/.test(name));
  if (years.length < 3) return null;
  return `line 1: the times are the names of columns, from ${JSON.stringify(years[0]?.name)} to ${JSON.stringify(years.at(-1)?.name)}. Write a row for each of them, with its time and its value.`;
}

/** Returns the first cell that has a number with another sign, such as a currency. */
function findSigns(columns: readonly Column[]): string | null {
  const signed = columns.find(
    ({ type, numbers }) =>
      type === 'text' && numbers?.kind === 'none' && /^\D{0,4}\d[\d.,]*\D{0,4}$/.test(numbers.cell),
  );
  if (signed?.numbers?.kind !== 'none') return null;
  const { line, cell } = signed.numbers;
  return `line ${line}: ${JSON.stringify(cell)} is not a number. Write numbers without signs of currencies, percents or units.`;
}

function listColumns(columns: readonly Column[]): string {
  const names = columns.slice(0, MAX_SHOWN).map(({ name, type }) => `${JSON.stringify(name)} (${type})`);
  const more = columns.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
