import type { FilterValue, WarehouseColumn } from './engine.ts';

/** Digits before and after the point that a decimal column can have. */
interface DecimalSize {
  readonly whole: number;
  readonly fraction: number;
}

/** A rule that a value breaks, as the predicate of a sentence. */
export interface BrokenRule {
  readonly rule: string;
}

/** Returns a value of a filter with the kind of its column, or the rule that it breaks. */
export function readFilterValue(column: WarehouseColumn, value: FilterValue): FilterValue | BrokenRule {
  const named = `the column ${JSON.stringify(column.name)} contains`;
  switch (column.kind) {
    case 'text':
      return typeof value === 'string' ? value : { rule: `must be text, because ${named} text` };
    case 'boolean':
      return typeof value === 'boolean'
        ? value
        : { rule: `must be true or false without quotes, because ${named} these` };
    case 'integer':
      return (
        readInteger(value) ?? {
          rule: `must be an integer up to 9007199254740991 either way, because ${named} integers`,
        }
      );
    case 'number':
      return readNumber(column, value) ?? { rule: `must be ${describeNumber(column)}, because ${named} such numbers` };
    case 'date':
      return readDate(value) ?? { rule: `must be a date, such as 2024-01-31, because ${named} dates` };
    case 'datetime':
    case 'timestamp':
      return (
        readDateTime(value, column.kind) ?? {
          rule: `must be a date and time with an offset and at most milliseconds, such as 2024-01-31T09:30:00Z, because ${named} times`,
        }
      );
    case 'other':
      return { rule: `cannot be compared with the column ${JSON.stringify(column.name)}` };
  }
}

function readInteger(value: FilterValue): number | null {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

const FLOATS = /^(?:FLOAT|DOUBLE|REAL)/i;
const DECIMAL = /^-?(\d{1,76})(?:\.(\d{1,76}))?$/;

/**
 * Returns a number for columns with floating-point numbers. For columns with decimal numbers, returns the digits as
 * text, because a conversion to the type of the column would round other values until they are equal to some.
 */
function readNumber(column: WarehouseColumn, value: FilterValue): FilterValue | null {
  if (typeof value === 'boolean') return null;
  const [, whole = '', fraction = ''] = DECIMAL.exec(typeof value === 'number' ? formatDecimal(value) : value) ?? [];
  if (FLOATS.test(column.type)) {
    const number = whole === '' && typeof value === 'string' ? Number.NaN : Number(value);
    return Number.isFinite(number) ? number : null;
  }
  const size = decimalSize(column.type);
  const [digits, decimals] = [whole.replace(/^0+(?=\d)/, ''), withoutEndingZeros(fraction)];
  if (digits === '' || decimals.length > size.fraction) return null;
  if ((digits === '0' ? 0 : digits.length) > size.whole) return null;
  const text = decimals === '' ? digits : `${digits}.${decimals}`;
  return String(value).startsWith('-') && text !== '0' ? `-${text}` : text;
}

/** A loop, because a regular expression for the end of a text takes quadratic time. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** Returns a number without an exponent. */
function formatDecimal(number: number): string {
  const text = String(number);
  if (!text.includes('e')) return text;
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const shift = Number(exponent);
  if (shift >= 0) return `${sign}${whole}${fraction.padEnd(shift, '0')}`;
  return `${sign}0.${'0'.repeat(-shift - whole.length)}${whole}${fraction}`;
}

const SIZED = /^\w+\s*\(\s*(\d{1,3})\s*(?:,\s*(\d{1,3})\s*)?\)$/;

/** Returns the size that the type of a column states, or that of the type of this name in BigQuery. */
function decimalSize(type: string): DecimalSize {
  const [, precision, scale = '0'] = SIZED.exec(type) ?? [];
  if (precision !== undefined) return { whole: Number(precision) - Number(scale), fraction: Number(scale) };
  return /^BIG/i.test(type) ? { whole: 38, fraction: 38 } : { whole: 29, fraction: 9 };
}

function describeNumber({ type }: WarehouseColumn): string {
  if (FLOATS.test(type)) return 'a number';
  const { whole, fraction } = decimalSize(type);
  return `a number of at most ${whole} digits before the point and ${fraction} after it`;
}

function readDate(value: FilterValue): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return null;
  return parseExact(`${value}T00:00:00`);
}

const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,3})?(Z|[+-]\d\d:\d\d)?$/;

/** Columns without a zone are read as UTC, so their values can be given without an offset. */
function readDateTime(value: FilterValue, kind: 'datetime' | 'timestamp'): number | null {
  if (typeof value !== 'string') return null;
  const [, local, decimals = '', offset = kind === 'datetime' ? 'Z' : ''] = DATE_TIME.exec(value) ?? [];
  if (local === undefined || offset === '' || parseExact(local) === null) return null;
  return requireWritable(Date.parse(`${local}${decimals}${offset}`));
}

/** Returns the instant of a date and time in UTC, or null if there is no such day or time. */
function parseExact(local: string): number | null {
  const instant = requireWritable(Date.parse(`${local}Z`));
  // Date.parse accepts February 30 and reads it as a day in March.
  return instant !== null && new Date(instant).toISOString().startsWith(local) ? instant : null;
}

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns an instant in the years that engines can compare; null for others. */
function requireWritable(instant: number): number | null {
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT ? instant : null;
}
