import { Fault } from '../../../contract/index.ts';
import type { NumberFormat } from '../cells/numbers.ts';
import type { TimeFormat } from '../cells/times.ts';
import { type ColumnDescription, sayAmbiguousNumber, sayAmbiguousTime } from '../describing/column-profile.ts';
import type { UnfitPlace } from '../describing/reading.ts';
import { sayCell } from '../reading/line-fault.ts';

const SHOWN_NAMES = 20;

/** A column, and how its cells are written. */
export interface ChosenColumn<Format> {
  readonly index: number;
  readonly format: Format;
}

type Columns = readonly ColumnDescription[];

/** The column of times that a reference names, or the fault that says why it is none. */
export function chooseTimes(columns: Columns, name: string): ChosenColumn<TimeFormat> {
  const { column, index } = find(columns, name, 'time_field');
  const { times, numbers, note } = column;
  if (times?.kind === 'read') return { index, format: times.format };
  if (times === null) throw refuse('time_field', `${sayCell(name)} has no value in any row.`);
  if (times.kind === 'ambiguous') throw refuse('time_field', sayAmbiguousTime(times));
  // What the note of such a column is about: times that are written in a way that is not read.
  if (note !== null && numbers?.kind !== 'ambiguous') throw refuse('time_field', note);
  throw refuse(
    'time_field',
    `line ${times.line}: ${sayCell(times.cell)} is not a time of the years 1800 to 2200${sayAbove(times)}. Write times as YYYY-MM-DD, with or without a time of day.`,
  );
}

/** The column of numbers that a reference names, or the fault that says why it is none. */
export function chooseNumbers(columns: Columns, name: string): ChosenColumn<NumberFormat> {
  const { column, index } = find(columns, name, 'value_field');
  const { numbers } = column;
  if (numbers?.kind === 'read') return { index, format: numbers.format };
  if (numbers === null) throw refuse('value_field', `${sayCell(name)} has no value in any row.`);
  if (numbers.kind === 'ambiguous') throw refuse('value_field', sayAmbiguousNumber(numbers));
  throw refuse('value_field', `line ${numbers.line}: ${sayCell(numbers.cell)} is not a number${sayAbove(numbers)}.`);
}

function sayAbove({ isFirst }: UnfitPlace): string {
  return isFirst ? '' : ' that is written as those above it';
}

function find(columns: Columns, name: string, field: string): { column: ColumnDescription; index: number } {
  const index = columns.findIndex((column) => column.name === name);
  const column = columns[index];
  if (column !== undefined) return { column, index };
  const names = columns.slice(0, SHOWN_NAMES).map((one) => sayCell(one.name));
  const more = columns.length - names.length;
  const all = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  throw refuse(field, `the file has no column ${sayCell(name)}. It has ${all}.`);
}

function refuse(field: string, why: string): Fault {
  return new Fault('INVALID_REQUEST', `source.${field}: ${why}`);
}
