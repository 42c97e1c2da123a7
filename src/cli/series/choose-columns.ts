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

/** Returns the failure for a file without a column of times or numbers. A column with a mistake in it comes first. */
function explainMissing({ columns }: UnstoredCsv, name: string, what: 'times' | 'numbers') {
  const option = what === 'times' ? '--time' : '--value';
  if (what === 'times') for (const column of columns) requireDateOrder(column, name);
  const note = columns.find((column) => column.note !== null)?.note;
  if (note) return noColumn(name, what, note);
  const advice =
    what === 'times'
      ? 'Add a column with a date such as 2024-01-31 in each row'
      : 'Add a column with a number in each row';
  return noColumn(name, what, `Its columns are ${listColumns(columns)}. ${advice}, or name the column with ${option}.`);
}

function listColumns(columns: readonly Column[]): string {
  const names = columns.slice(0, MAX_SHOWN).map(({ name, type }) => `${JSON.stringify(name)} (${type})`);
  const more = columns.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
