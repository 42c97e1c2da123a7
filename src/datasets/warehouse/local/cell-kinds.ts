import type { ColumnKind } from '../engine.ts';

/** The kinds of columns of CSV files, each with the type as which DuckDB reads it. */
export const CELL_TYPES = {
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'TIMESTAMP',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
  text: 'VARCHAR',
} as const satisfies Partial<Record<ColumnKind, string>>;

export type CellKind = keyof typeof CELL_TYPES;

/** Integers of up to 15 digits, which are exact as doubles. With leading zeros they are text, such as postal codes. */
const INTEGER = /^[+-]?(?:0|[1-9]\d{0,14})$/;
const NUMBER = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const BOOLEAN = /^(?:true|false)$/i;
const DATE = /^(\d{4}-\d{2}-\d{2})$/;
const DAY_AND_HOUR = String.raw`^(\d{4}-\d{2}-\d{2})[T ](?:[01]\d|2[0-3]):[0-5]\d`;
const SECONDS = String.raw`:[0-5]\d(?:\.\d{1,9})?`;
const DATETIME = new RegExp(`${DAY_AND_HOUR}(?:${SECONDS})?$`);
/** DuckDB reads an offset only after seconds. */
const TIMESTAMP = new RegExp(`${DAY_AND_HOUR}${SECONDS}(?:Z|[+-]\\d{2}(?::?\\d{2})?)$`);

/** Returns the kind of a cell that is not empty. */
export function findCellKind(cell: string): CellKind {
  if (INTEGER.test(cell)) return 'integer';
  if (NUMBER.test(cell)) return Number.isFinite(Number(cell)) ? 'number' : 'text';
  if (BOOLEAN.test(cell)) return 'boolean';
  if (isOfDay(DATE, cell)) return 'date';
  if (isOfDay(DATETIME, cell)) return 'datetime';
  return isOfDay(TIMESTAMP, cell) ? 'timestamp' : 'text';
}

function isOfDay(pattern: RegExp, cell: string): boolean {
  const day = pattern.exec(cell)?.[1];
  if (day === undefined) return false;
  const instant = Date.parse(day);
  // Days that do not exist are moved into the next month.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(day);
}

/**
 * Returns the kind of a column with cells of two kinds. Null stands for a column without values. Cells of unlike kinds
 * make text, because no other kind contains both.
 */
export function joinKinds(one: CellKind | null, other: CellKind | null): CellKind | null {
  if (one === null || other === null) return one ?? other;
  if (one === other) return one;
  const kinds = new Set([one, other]);
  return kinds.size === 2 && kinds.has('integer') && kinds.has('number') ? 'number' : 'text';
}

/** Returns whether a cell is a number or a time, which the name of a column rarely is. */
export function isNumberOrTime(cell: string): boolean {
  const kind = findCellKind(cell.trim());
  return kind !== 'text' && kind !== 'boolean';
}
