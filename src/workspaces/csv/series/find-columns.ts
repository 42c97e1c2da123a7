import { quoteCell, sourceFieldInvalid } from '../../faults.ts';
import type { NumberFormat } from '../cells/numbers.ts';
import type { TimeFormat } from '../cells/times.ts';
import {
  type ColumnDescription,
  formatAmbiguousNumber,
  formatAmbiguousTime,
  formatUnfitNumber,
  formatUnfitTime,
} from '../describing/column-profile.ts';

const MAX_NAMES_SHOWN = 20;

/** A column and the format of its cells. */
export interface ChosenColumn<Format> {
  readonly index: number;
  readonly format: Format;
}

export interface ChosenColumns {
  readonly time: ChosenColumn<TimeFormat>;
  readonly value: ChosenColumn<NumberFormat>;
}

type Columns = readonly ColumnDescription[];

/** Returns the column of times that a reference names. Throws a fault with the reason if it does not contain times. */
export function findTimeColumn(columns: Columns, name: string): ChosenColumn<TimeFormat> {
  const { column, index } = findColumn(columns, name, 'time_field');
  const { times, numbers, note } = column;
  if (times?.kind === 'read') return { index, format: times.format };
  if (times === null) throw sourceFieldInvalid('time_field', `the column ${quoteCell(name)} has no values.`);
  if (times.kind === 'ambiguous') throw sourceFieldInvalid('time_field', formatAmbiguousTime(times));
  // The note of a column that is not about its numbers is about times in an unsupported format.
  const isAboutNumbers = numbers?.kind === 'none' && note === formatUnfitNumber(numbers);
  if (note !== null && numbers?.kind !== 'ambiguous' && !isAboutNumbers) throw sourceFieldInvalid('time_field', note);
  throw sourceFieldInvalid('time_field', formatUnfitTime(times));
}

/**
 * Returns the column of numbers that a reference names. Throws a fault with the reason if it does not contain numbers.
 */
export function findNumberColumn(columns: Columns, name: string): ChosenColumn<NumberFormat> {
  const { column, index } = findColumn(columns, name, 'value_field');
  const { numbers } = column;
  if (numbers?.kind === 'read') return { index, format: numbers.format };
  if (numbers === null) throw sourceFieldInvalid('value_field', `the column ${quoteCell(name)} has no values.`);
  if (numbers.kind === 'ambiguous') throw sourceFieldInvalid('value_field', formatAmbiguousNumber(numbers));
  throw sourceFieldInvalid('value_field', formatUnfitNumber(numbers));
}

function findColumn(columns: Columns, name: string, field: string): { column: ColumnDescription; index: number } {
  const index = columns.findIndex((column) => column.name === name);
  const column = columns[index];
  if (column !== undefined) return { column, index };
  const names = columns.slice(0, MAX_NAMES_SHOWN).map((known) => quoteCell(known.name));
  const more = columns.length - names.length;
  const list = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  throw sourceFieldInvalid(field, `the file has no column ${quoteCell(name)}. Its columns are ${list}.`);
}
