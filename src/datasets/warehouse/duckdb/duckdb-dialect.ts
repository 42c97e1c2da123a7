import type { Frequency } from '../../../calendar/index.ts';
import type { TimeFormat } from '../../../contract/index.ts';
import type { QueryParameter, SqlDialect } from '../build-query.ts';
import type { WarehouseColumn } from '../engine.ts';

/** Periods count from 2000-01-03, a Monday, or, if they are months, from 2000-01-01. Both fit all frequencies. */
const INTERVALS: Record<Frequency, string> = {
  '1min': '1 minute',
  '5min': '5 minutes',
  '15min': '15 minutes',
  '30min': '30 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1D': '1 day',
  '1W-MON': '7 days',
  '1MS': '1 month',
  '1ME': '1 month',
  '1QE': '3 months',
  '1YE': '12 months',
};

/** The integer types and the bits of their values, without the sign. */
const INTEGER_TYPES: ReadonlyMap<string, { readonly bits: bigint; readonly isSigned: boolean }> = new Map([
  ['TINYINT', { bits: 7n, isSigned: true }],
  ['SMALLINT', { bits: 15n, isSigned: true }],
  ['INTEGER', { bits: 31n, isSigned: true }],
  ['BIGINT', { bits: 63n, isSigned: true }],
  ['UTINYINT', { bits: 8n, isSigned: false }],
  ['USMALLINT', { bits: 16n, isSigned: false }],
  ['UINTEGER', { bits: 32n, isSigned: false }],
  ['UBIGINT', { bits: 64n, isSigned: false }],
]);

/** How DuckDB spells the parts of a query. */
export const DUCKDB_DIALECT: SqlDialect = {
  quote: quoteName,
  placeholder,
  microseconds,
  periodStart: (time, frequency) =>
    `epoch_us(time_bucket(INTERVAL '${INTERVALS[frequency]}', make_timestamp(${time})))`,
  notNaN: ({ name, type }) => (type === 'DOUBLE' || type === 'FLOAT' ? `NOT isnan(${quoteName(name)})` : null),
  toDouble: (expression) => `CAST(${expression} AS DOUBLE)`,
  // Rows without a value are ignored, because arg_max ignores rows whose first argument is NULL.
  lastValue: (value, time) => `arg_max(${value}, row(${time}, ${value}))`,
};

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns a text as a literal. Backslashes have no meaning in it. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Returns a placeholder with a type. With the type of the column, the comparison needs no cast of the column, and DuckDB
 * leaves out row groups by their statistics. A number that does not fit into the type is never an error: a filter with it
 * selects no row.
 */
function placeholder({ name, column, value }: QueryParameter): string {
  const variable = `$${name}`;
  switch (column.kind) {
    case 'text':
      return `CAST(${variable} AS VARCHAR)`;
    case 'integer':
      return `CAST(${variable} AS ${integerType(column, BigInt(value))})`;
    case 'number':
      return `TRY_CAST(${variable} AS ${numberType(column)})`;
    case 'boolean':
      return `CAST(${variable} AS BOOLEAN)`;
    case 'date':
      return `CAST(${variable} AS DATE)`;
    case 'datetime':
      return `CAST(${variable} AS TIMESTAMP)`;
    case 'timestamp':
      return `CAST(${variable} AS TIMESTAMPTZ)`;
    case 'other':
      throw new Error(`Columns of the type ${column.type} cannot be compared.`);
  }
}

function integerType({ type }: WarehouseColumn, value: bigint): string {
  return [type, 'BIGINT'].find((name) => fitsInto(name, value)) ?? 'HUGEINT';
}

function fitsInto(type: string, value: bigint): boolean {
  const size = INTEGER_TYPES.get(type);
  if (size === undefined) return false;
  const end = 1n << size.bits;
  return value < end && value >= (size.isSigned ? -end : 0n);
}

function numberType({ type }: WarehouseColumn): string {
  return type === 'FLOAT' || /^DECIMAL\(\d{1,2}, ?\d{1,2}\)$/.test(type) ? type : 'DOUBLE';
}

function microseconds(column: WarehouseColumn, format: TimeFormat | null): string {
  const name = quoteName(column.name);
  if (format !== null) return integerMicroseconds(`TRY_CAST(${name} AS BIGINT)`, format);
  // Divisions round towards zero, which is the next microsecond for instants before 1970.
  if (column.type === 'TIMESTAMP_NS')
    return `(epoch_ns(${name}) // 1000 - CASE WHEN epoch_ns(${name}) % 1000 < 0 THEN 1 ELSE 0 END)`;
  // DuckDB has dates up to the year 5,881,580, whose microseconds exceed 64 bits.
  return column.kind === 'date' ? `TRY(epoch_us(${name}))` : `epoch_us(${name})`;
}

/** Returns the microseconds of integers in a time format; NULL outside the years 1 to 9999. */
function integerMicroseconds(integer: string, format: TimeFormat): string {
  switch (format) {
    case 'year':
      return `epoch_us(CASE WHEN ${integer} BETWEEN 1 AND 9999 THEN make_date(${integer}, 1, 1) END)`;
    case 'yyyymmdd':
      return `epoch_us(CASE WHEN ${integer} BETWEEN 10101 AND 99991231 THEN TRY(make_date(${integer} // 10000, ${integer} // 100 % 100, ${integer} % 100)) END)`;
    case 'epoch_s':
      return `CASE WHEN ${integer} BETWEEN -62135596800 AND 253402300799 THEN ${integer} * 1000000 END`;
    case 'epoch_ms':
      return `CASE WHEN ${integer} BETWEEN -62135596800000 AND 253402300799999 THEN ${integer} * 1000 END`;
  }
}
