import type { SchemaElement } from 'hyparquet';
import { DAY_MS } from '../../../calendar/index.ts';
import type { ColumnKind } from '../engine.ts';

/** A statistic as the parser returns it with `RAW_PARSERS`, and the form in which estimates compare it. */
type Normalize = (statistic: unknown, isMax: boolean) => number | string | null;

/** What DuckDB makes of a column, and how its statistics are compared. */
export interface ParquetType {
  readonly kind: ColumnKind;
  /** The name of the type in DuckDB. */
  readonly type: string;
  /** Null if the statistics cannot be used. */
  readonly normalize: Normalize | null;
  /** Whether the statistics that older writers stored are ordered like the values. */
  readonly trustsDeprecated: boolean;
}

/** Parsers that keep statistics as they are stored, because dates lose what is finer than milliseconds. */
export const RAW_PARSERS = {
  timestampFromMilliseconds: keep,
  timestampFromMicroseconds: keep,
  timestampFromNanoseconds: keep,
  dateFromDays: keep,
  // The order of this text is that of the bytes, as in Parquet. That of decoded text is not.
  stringFromBytes: (bytes: Uint8Array) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
};

// The parser returns what these return; its types state dates.
function keep<Stored>(stored: Stored): never {
  return stored as never;
}

/**
 * Returns the type of a column as DuckDB derives it. Like DuckDB, it ignores the newer logical types of integers, decimals,
 * dates and text without the older converted type. Types without a use are `other`, and so are columns of several values.
 */
export function findParquetType(element: SchemaElement): ParquetType {
  if (element.type === undefined || element.repetition_type === 'REPEATED') return other('LIST');
  const { logical_type: logical, type } = element;
  if (logical?.type === 'NULL') return other('NULL');
  if (logical?.type === 'UUID' && type === 'FIXED_LEN_BYTE_ARRAY') return other('UUID');
  if (logical?.type === 'TIME') return other(logical.isAdjustedToUTC ? 'TIME WITH TIME ZONE' : 'TIME');
  if (logical?.type === 'TIMESTAMP') return type === 'INT64' ? timestamp(logical) : other('TIMESTAMP');
  if (logical?.type === 'GEOMETRY' || logical?.type === 'GEOGRAPHY') return other('GEOMETRY');
  if (logical?.type === 'FLOAT16' && type === 'FIXED_LEN_BYTE_ARRAY') {
    return element.type_length === 2 ? number('FLOAT', finite) : other('BLOB');
  }
  return element.converted_type === undefined ? physicalType(type) : convertedType(element);
}

const INTEGERS: Partial<Record<string, readonly [physical: string, type: string]>> = {
  INT_8: ['INT32', 'TINYINT'],
  INT_16: ['INT32', 'SMALLINT'],
  INT_32: ['INT32', 'INTEGER'],
  INT_64: ['INT64', 'BIGINT'],
  UINT_8: ['INT32', 'UTINYINT'],
  UINT_16: ['INT32', 'USMALLINT'],
  UINT_32: ['INT32', 'UINTEGER'],
  UINT_64: ['INT64', 'UBIGINT'],
};

/** The most digits of a DECIMAL in DuckDB. It reads longer ones as doubles. */
const MAX_DECIMAL_DIGITS = 38;

function convertedType({ converted_type: converted = 'BSON', type, precision, scale }: SchemaElement): ParquetType {
  const integer = INTEGERS[converted];
  if (integer !== undefined) {
    // Older writers ordered unsigned integers as if they were signed.
    if (integer[0] === type) return { ...integerType(integer[1]), trustsDeprecated: !converted.startsWith('U') };
    return other(converted);
  }
  const isBytes = type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY';
  switch (converted) {
    case 'DATE':
      return type === 'INT32'
        ? { kind: 'date', type: 'DATE', normalize: days, trustsDeprecated: true }
        : other(converted);
    case 'TIMESTAMP_MILLIS':
      return type === 'INT64' ? instants('datetime', 'TIMESTAMP', 1n) : other(converted);
    case 'TIMESTAMP_MICROS':
      return type === 'INT64' ? instants('datetime', 'TIMESTAMP', 1_000n) : other(converted);
    case 'DECIMAL':
      if (!isBytes && type !== 'INT32' && type !== 'INT64') return other(converted);
      if (precision === undefined || scale === undefined || precision < 1 || scale < 0) return other(converted);
      if (precision > MAX_DECIMAL_DIGITS) return { ...number('DOUBLE', finite), normalize: null };
      return scale > precision ? other(converted) : number(`DECIMAL(${precision},${scale})`, finite);
    case 'UTF8':
    case 'ENUM':
    // DuckDB names the type JSON. Text that is compared with it would have to be JSON.
    case 'JSON':
      if (!isBytes) return other(converted);
      // The parser returns the bytes of types of a fixed length.
      return {
        kind: 'text',
        type: 'VARCHAR',
        normalize: type === 'BYTE_ARRAY' ? text : null,
        trustsDeprecated: false,
      };
    default:
      return other(converted);
  }
}

function physicalType(type: NonNullable<SchemaElement['type']>): ParquetType {
  switch (type) {
    case 'BOOLEAN':
      return { kind: 'boolean', type: 'BOOLEAN', normalize: Number, trustsDeprecated: true };
    case 'INT32':
      return integerType('INTEGER');
    case 'INT64':
      return integerType('BIGINT');
    case 'INT96':
      return { ...instants('datetime', 'TIMESTAMP', 1n), normalize: null };
    case 'FLOAT':
      return number('FLOAT', finite);
    case 'DOUBLE':
      return number('DOUBLE', finite);
    default:
      return other('BLOB');
  }
}

/** Stored integers per millisecond. */
const UNITS: Record<string, bigint> = { MILLIS: 1n, MICROS: 1_000n, NANOS: 1_000_000n };

function timestamp({ unit, isAdjustedToUTC }: { unit: string; isAdjustedToUTC: boolean }): ParquetType {
  const perMillisecond = UNITS[unit] ?? 1n;
  if (isAdjustedToUTC) return instants('timestamp', 'TIMESTAMP WITH TIME ZONE', perMillisecond);
  return instants('datetime', unit === 'NANOS' ? 'TIMESTAMP_NS' : 'TIMESTAMP', perMillisecond);
}

function instants(kind: 'datetime' | 'timestamp', type: string, perMillisecond: bigint): ParquetType {
  return {
    kind,
    type,
    // Doubles would round nanoseconds, and a minimum must not become larger.
    normalize: (statistic, isMax) => {
      if (typeof statistic !== 'bigint') return null;
      const [quotient, rest] = [statistic / perMillisecond, statistic % perMillisecond];
      if (isMax) return Number(rest > 0n ? quotient + 1n : quotient);
      return Number(rest < 0n ? quotient - 1n : quotient);
    },
    trustsDeprecated: true,
  };
}

function days(statistic: unknown): number | null {
  return typeof statistic === 'number' ? statistic * DAY_MS : null;
}

function integerType(type: string): ParquetType {
  return { kind: 'integer', type, normalize: finite, trustsDeprecated: true };
}

function number(type: string, normalize: Normalize): ParquetType {
  return { kind: 'number', type, normalize, trustsDeprecated: true };
}

function other(type: string): ParquetType {
  return { kind: 'other', type, normalize: null, trustsDeprecated: false };
}

function finite(statistic: unknown): number | null {
  const value = typeof statistic === 'bigint' ? Number(statistic) : statistic;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The longest text that is kept of a statistic. A shorter text is still a bound. */
const MAX_TEXT_BYTES = 64;

function text(statistic: unknown, isMax: boolean): string | null {
  if (typeof statistic !== 'string') return null;
  const kept = statistic.slice(0, MAX_TEXT_BYTES);
  return isMax && kept.length < statistic.length ? afterText(kept) : kept;
}

/** Returns a bound above every text that begins with this one, because UTF-8 has no byte FF. */
export function afterText(start: string): string {
  return `${start}\u00ff`;
}
