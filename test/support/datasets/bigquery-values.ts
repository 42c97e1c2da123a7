// Values of the types that the loopback BigQuery has.

/** Times are microseconds since 1970, and dates days. Decimal numbers have 38 digits after the point. */
export type Value = { readonly type: string; readonly value: bigint | number | string | boolean } | null;

/** A cell as a test writes it: times and decimal numbers are text. */
export type Cell = string | number | boolean | null;

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly mode?: 'NULLABLE' | 'REQUIRED' | 'REPEATED';
  readonly description?: string;
}

/** The error for a text that is not a value of a type. */
export class ValueError extends Error {}

const DECIMALS = 38;
const FRACTION: Readonly<Record<string, number>> = { NUMERIC: 9, BIGNUMERIC: DECIMALS };
const OLDER_NAMES: Readonly<Record<string, string>> = { INTEGER: 'INT64', FLOAT: 'FLOAT64', BOOLEAN: 'BOOL' };
const WIDTHS: Readonly<Record<string, number>> = {
  INT64: 8,
  FLOAT64: 8,
  NUMERIC: 16,
  BIGNUMERIC: 32,
  BOOL: 1,
  DATE: 8,
  DATETIME: 8,
  TIMESTAMP: 8,
};
const DAY_MS = 86_400_000n;

/** Returns the name of a type in GoogleSQL. */
export function standardType(type: string): string {
  return OLDER_NAMES[type] ?? type;
}

/** Converts a cell of a table. */
export function toValue(type: string, cell: Cell): Value {
  return cell === null ? null : parseValue(standardType(type), String(cell));
}

/** Reads the text of a parameter. Throws a `ValueError` if it is not one of the type. */
export function parseValue(type: string, text: string): NonNullable<Value> {
  switch (type) {
    case 'STRING':
      return { type, value: text };
    case 'BOOL':
      if (!/^(true|false)$/i.test(text)) throw new ValueError(type);
      return { type, value: text.toLowerCase() === 'true' };
    case 'INT64': {
      const value = /^-?\d{1,19}$/.test(text) ? BigInt(text) : 1n << 70n;
      if (value !== BigInt.asIntN(64, value)) throw new ValueError(type);
      return { type, value };
    }
    case 'FLOAT64': {
      const value = /^[+-]?inf(inity)?$/i.test(text) ? Number(`${text[0] === '-' ? '-' : ''}Infinity`) : Number(text);
      if (text.trim() === '' || (Number.isNaN(value) && !/^nan$/i.test(text))) throw new ValueError(type);
      return { type, value };
    }
    case 'NUMERIC':
    case 'BIGNUMERIC': {
      const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,39})(?:\.(\d+))?$/.exec(text) ?? [];
      if (whole === '' || fraction.length > (FRACTION[type] ?? 0)) throw new ValueError(type);
      return { type, value: BigInt(`${sign}${whole}${fraction.padEnd(DECIMALS, '0')}`) };
    }
    case 'DATE':
      return { type, value: parseTime(text, /^\d{4}-\d\d-\d\d$/, 'T00:00:00Z') / (DAY_MS * 1_000n) };
    case 'DATETIME':
      return { type, value: parseTime(text, /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?$/, 'Z') };
    case 'TIMESTAMP':
      return { type, value: parseTime(text, /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/, '') };
    default:
      throw new ValueError(type);
  }
}

function parseTime(text: string, pattern: RegExp, zone: string): bigint {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const instant = Date.parse(`${text.replace(' ', 'T').replace(/\.\d+/, '')}${zone}`);
  // Date.parse accepts the 30th of February.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
  if (!pattern.test(text) || Number.isNaN(instant) || !isDay) throw new ValueError('time');
  return BigInt(instant) * 1_000n + BigInt(fraction.padEnd(6, '0') || '0');
}

/** Returns a number as a double. */
export function toNumber({ type, value }: NonNullable<Value>): number {
  if (type !== 'NUMERIC' && type !== 'BIGNUMERIC') return Number(value);
  const digits = String(value)
    .replace('-', '')
    .padStart(DECIMALS + 1, '0');
  const text = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
  return Number(String(value).startsWith('-') ? `-${text}` : text);
}

/** Compares two values. Types are mixed only if both are numbers. */
export function compare(a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (a.type === b.type) return a.value < b.value ? -1 : Number(a.value > b.value);
  const areNumbers = [a, b].every(({ type }) => ['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC'].includes(type));
  if (!areNumbers) throw new ValueError('types that cannot be compared');
  return toNumber(a) - toNumber(b);
}

/** Returns the bytes for which a value counts. */
export function sizeOf(value: Value): number {
  if (value === null) return 0;
  return value.type === 'STRING' ? 2 + Buffer.byteLength(String(value.value)) : (WIDTHS[value.type] ?? 0);
}

/** Returns a value as a reply contains it: as text, doubles with a decimal point or an exponent. */
export function formatValue(value: Value): string | null {
  if (value === null) return null;
  if (value.type !== 'FLOAT64') return String(value.value);
  const text = String(value.value);
  if (/e/.test(text))
    return text
      .replace('e+', 'E')
      .replace('e', 'E')
      .replace(/^(-?\d+)E/, '$1.0E');
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
