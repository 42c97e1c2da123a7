import type { QueryParameter } from '../build-query.ts';
import type { FilterValue } from '../engine.ts';

/** A named parameter as `jobs.query` accepts it: every value is text. */
export interface TypedParameter {
  readonly name: string;
  readonly parameterType: { readonly type: string };
  readonly parameterValue: { readonly value: string };
}

/** The digits before and after the decimal point that an exact type has at most. */
const DECIMAL_TYPES: ReadonlyMap<string, { readonly integer: number; readonly fraction: number }> = new Map([
  ['NUMERIC', { integer: 29, fraction: 9 }],
  ['BIGNUMERIC', { integer: 38, fraction: 38 }],
]);

/** Encodes a parameter with the type of its column. */
export function encodeParameter({ name, column, value }: QueryParameter): TypedParameter {
  const [type, text] = encodeValue(column.type, value);
  return { name, parameterType: { type }, parameterValue: { value: text } };
}

function encodeValue(type: string, value: FilterValue): readonly [type: string, text: string] {
  switch (type) {
    case 'STRING':
      return [type, String(value)];
    case 'BOOL':
      return [type, value === true ? 'true' : 'false'];
    case 'INT64':
      // BigInt throws for fractions, and writes no exponent.
      return [type, BigInt(value).toString()];
    case 'DATE':
      return [type, isoTime(value).slice(0, 10)];
    case 'DATETIME':
      return [type, isoTime(value).slice(0, -1)];
    case 'TIMESTAMP':
      return [type, `${isoTime(value).slice(0, -1).replace('T', ' ')}+00:00`];
    case 'FLOAT64':
      return [type, String(value)];
    default:
      return encodeDecimal(type, String(value));
  }
}

function isoTime(value: FilterValue): string {
  return new Date(Number(value)).toISOString();
}

/**
 * Encodes a number that is compared with a decimal column. BigQuery would round one that has more digits than the type,
 * and rows that differ would match. As a double it matches no row, because the shortest text of a double that equals a
 * value of the column has no more digits than that value.
 */
function encodeDecimal(type: string, number: string): readonly [type: string, text: string] {
  const limits = DECIMAL_TYPES.get(type);
  if (limits === undefined) throw new TypeError('Columns of this type cannot be compared with a value.');
  const text = withoutExponent(number);
  const [integer = '', fraction = ''] = text.replace('-', '').split('.');
  const isExact = integer.length <= limits.integer && fraction.length <= limits.fraction;
  return isExact ? [type, text] : ['FLOAT64', number];
}

/**
 * Writes a number without an exponent and without zeros that mean nothing.
 *
 * @example withoutExponent('-1.5e-7') // -0.00000015
 */
function withoutExponent(number: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(number);
  if (match === null) throw new TypeError('The value of a decimal column is not a number.');
  const [, sign = '', whole = '', part = '', exponent = '0'] = match;
  const point = whole.length + Number(exponent);
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${part}`;
  const split = Math.max(1, point);
  const integer = digits
    .padEnd(split, '0')
    .slice(0, split)
    .replace(/^0+(?=\d)/, '');
  const fraction = trimZeros(digits.slice(split));
  return `${sign}${integer}${fraction === '' ? '' : `.${fraction}`}`;
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
