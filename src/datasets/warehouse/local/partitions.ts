import type { ColumnKind, WarehouseColumn } from '../engine.ts';
import { partitionRepeated } from './faults.ts';

/** The values in the names of the folders that contain a file, by key. Null is a missing value. */
export type PartitionValues = ReadonlyMap<string, string | null>;

/** A column whose values are in the names of folders. */
export interface PartitionColumn extends WarehouseColumn {
  readonly kind: 'integer' | 'date' | 'text';
}

/** The values that DuckDB reads as NULL. */
const MISSING = /^(?:__HIVE_DEFAULT_PARTITION__|[Nn][Uu][Ll][Ll])$/;
const FOLDER = /^([^=]+)=([^=]*)$/;

/**
 * Returns the values in the names of folders such as `year=2024`. Other names have none. Percent signs are decoded in
 * values and not in keys, as DuckDB does.
 *
 * @param file the name of the file for messages
 */
export function readPartitions(folders: readonly string[], file: string): PartitionValues {
  const values = new Map<string, string | null>();
  for (const folder of folders) {
    const [, key, value] = FOLDER.exec(folder) ?? [];
    if (key === undefined || value === undefined) continue;
    if (values.has(key)) throw partitionRepeated(file, key);
    values.set(key, MISSING.test(value) ? null : decodePercents(value));
  }
  return values;
}

/** Returns whether DuckDB would read a value from the name of a folder. */
export function isPartitionFolder(folder: string): boolean {
  return FOLDER.test(folder);
}

function decodePercents(value: string): string {
  if (!value.includes('%')) return value;
  const bytes = Buffer.from(value).toString('latin1');
  const decoded = bytes.replaceAll(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(decoded, 'latin1').toString();
}

/** Integers of up to 15 digits, which are exact as doubles. `01` is text, because a number would lose the zero. */
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const TYPES: Record<PartitionColumn['kind'], string> = { integer: 'BIGINT', date: 'DATE', text: 'VARCHAR' };

/** Returns the columns of the keys. Their kind is the most specific one that all values have. */
export function describePartitions(files: readonly { readonly partitions: PartitionValues }[]): PartitionColumn[] {
  const keys = [...(files[0]?.partitions.keys() ?? [])];
  return keys.map((key) => {
    const values = new Set<string>();
    for (const { partitions } of files) {
      const value = partitions.get(key);
      if (value !== null && value !== undefined) values.add(value);
    }
    const kind = findKind([...values]);
    return { name: key, kind, type: TYPES[kind] };
  });
}

function findKind(values: readonly string[]): PartitionColumn['kind'] {
  if (values.length === 0) return 'text';
  if (values.every((value) => INTEGER.test(value))) return 'integer';
  return values.every(isDate) ? 'date' : 'text';
}

function isDate(value: string): boolean {
  if (!DATE.test(value)) return false;
  const instant = Date.parse(value);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(value);
}

/**
 * Returns the value of a partition in the form in which statistics have it: milliseconds since 1970 for dates, and text as
 * it is.
 */
export function partitionValue(kind: ColumnKind, value: string): number | string {
  if (kind === 'integer') return Number(value);
  return kind === 'date' ? Date.parse(value) : value;
}
