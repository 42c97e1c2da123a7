import type { FilterValue, QueryFilter, WarehouseColumn, WarehouseQuery } from '../engine.ts';
import { toRawBound } from '../raw-times.ts';
import type { LocalFile, LocalTable } from './local-table.ts';
import { partitionValue } from './partitions.ts';

export interface ReadEstimate {
  readonly bytes: number;
  /** The files that can have rows of the query. Only these are read. */
  readonly files: readonly LocalFile[];
}

/** A condition of a query on the values between two bounds. NaN and null are bounds that are not stated. */
interface Condition {
  readonly column: WarehouseColumn;
  readonly mayHold: (min: Bound, max: Bound) => boolean;
}

type Bound = number | string | null;

/**
 * Returns the bytes that a query reads: the compressed columns of the query in the row groups that partitions and
 * statistics leave in, and the footers of their files, which are read again with every query. A row group is left out only
 * if no row of it can match. A CSV file is read as a whole.
 */
export function estimateRead(table: LocalTable, query: WarehouseQuery): ReadEstimate {
  const isPartition = new Set(table.partitions.map(({ name }) => name));
  const conditions = findConditions(query);
  const onFolders = conditions.filter(({ column }) => isPartition.has(column.name));
  const onRows = conditions.filter(({ column }) => !isPartition.has(column.name));
  const needed = new Set(
    [query.time.column, query.value, ...query.filters.map(({ column }) => column)].map(({ name }) => name),
  );
  const inFile = [...needed].filter((name) => !isPartition.has(name));
  let bytes = 0;
  const files = table.files.filter((file) => {
    if (!onFolders.every((condition) => folderMayMatch(condition, file))) return false;
    if (table.format === 'csv') {
      bytes += file.size;
      return true;
    }
    const groups = findGroups(file, onRows);
    for (const name of inFile) {
      const column = file.columns.get(name);
      for (const group of groups) bytes += column?.bytes[group] ?? 0;
    }
    if (groups.length > 0) bytes += file.footerBytes;
    return groups.length > 0;
  });
  return { bytes, files };
}

/** Returns the row groups of a file that can have rows for which all conditions hold. */
export function findGroups(file: LocalFile, conditions: readonly Condition[]): number[] {
  const groups: number[] = [];
  for (const [group, rows] of file.rows.entries()) {
    if (rows > 0 && conditions.every((condition) => groupMayMatch(condition, file, group))) groups.push(group);
  }
  return groups;
}

function groupMayMatch({ column, mayHold }: Condition, file: LocalFile, group: number): boolean {
  const statistics = file.columns.get(column.name);
  if (statistics === undefined) return true;
  // No condition holds for NULL.
  if (statistics.nulls[group] === file.rows[group]) return false;
  return mayHold(statistics.min[group] ?? null, statistics.max[group] ?? null);
}

function folderMayMatch({ column, mayHold }: Condition, { partitions }: LocalFile): boolean {
  const text = partitions.get(column.name) ?? null;
  if (text === null) return false;
  const value = partitionValue(column.kind, text);
  const bound = typeof value === 'string' ? toByteText(value) : value;
  return mayHold(bound, bound);
}

/** Returns the conditions of a query. The time is not NULL in any row of the result. */
export function findConditions({ time, from, to, filters }: WarehouseQuery): Condition[] {
  const { column, format } = time;
  const first = from === null ? null : toRawBound(column.kind, format, from);
  const end = to === null ? null : toRawBound(column.kind, format, to);
  return [
    {
      column,
      mayHold: (min, max) => {
        // Comparisons with NaN are false, so that a bound that is not stated leaves the row group in.
        if (first !== null && typeof max === 'number' && widen(column, max, 1) < first) return false;
        return !(end !== null && typeof min === 'number' && widen(column, min, -1) >= end);
      },
    },
    ...filters.map(filterCondition),
  ];
}

function filterCondition({ column, values }: QueryFilter): Condition {
  if (column.kind === 'text') {
    const wanted = values.map((value) => toByteText(String(value)));
    return { column, mayHold: (min, max) => wanted.some((value) => isBetween(value, min, max)) };
  }
  const wanted = values.map(toNumber);
  return {
    column,
    mayHold: (min, max) => {
      const low = typeof min === 'number' ? widen(column, min, -1) : null;
      const high = typeof max === 'number' ? widen(column, max, 1) : null;
      return wanted.some((value) => isBetween(value, low, high));
    },
  };
}

/** Returns true unless a bound excludes the value. Comparisons with NaN are false. */
function isBetween<Value extends number | string>(value: Value, min: Bound, max: Bound): boolean {
  return !(min !== null && value < min) && !(max !== null && value > max);
}

function toNumber(value: FilterValue): number {
  return Number(value);
}

/** Returns text in the form that statistics have: a character for every byte in UTF-8. */
function toByteText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

const DECIMAL_SCALE = /^DECIMAL\(\d+,(\d+)\)$/;

/**
 * Moves a bound outward by what conversions can change: DuckDB rounds the values of filters to the type of the column, and
 * bounds of decimals were multiplied. Large integers need nothing, because values and bounds are rounded alike.
 */
function widen({ type }: WarehouseColumn, bound: number, direction: 1 | -1): number {
  const size = Math.abs(bound);
  const [, scale] = DECIMAL_SCALE.exec(type) ?? [];
  if (scale !== undefined) return bound + direction * (10 ** -Number(scale) + size * 2 ** -50);
  if (type === 'FLOAT') return bound + direction * (size * 2 ** -22 + 2 ** -148);
  return bound;
}
