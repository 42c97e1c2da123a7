import { exponentOf } from './format-number.ts';

const MINUS = '\u2212';
const MAX_PLAIN = 1e15;
const MIN_PLAIN = 1e-6;
/** More digits than this are noise of a computation, such as a price that was adjusted for a split. */
const DIGITS = 6;
const MAX_DECIMALS = 8;
const SAMPLE = 200;

/**
 * Returns a function that formats the values of one series, all with the decimals that its latest values have: prices
 * with cents, currencies with pips, counts with none.
 *
 * @example seriesFormat([1.08123, 1.0795])(1.08) // 1.08000
 */
export function seriesFormat(values: ArrayLike<number>): (value: number) => string {
  const decimals = countDecimals(values);
  return (value) => {
    if (!Number.isFinite(value)) return '–';
    const size = Math.abs(value);
    const isPlain = size === 0 || (size < MAX_PLAIN && size >= MIN_PLAIN);
    const text = isPlain ? group(size.toFixed(decimals)) : size.toExponential(4);
    return value < 0 && /[1-9]/.test(text) ? `${MINUS}${text}` : text;
  };
}

/** Returns the number of decimals that the latest values of a series need, at most so many that the largest has six digits. */
export function countDecimals(values: ArrayLike<number>): number {
  let [needed, largest] = [0, 0];
  for (let i = Math.max(0, values.length - SAMPLE); i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isFinite(value) || Math.abs(value) < MIN_PLAIN) continue;
    const [digits = '', exponent = '0'] = Number(value.toPrecision(DIGITS)).toExponential().split('e');
    const significant = digits.replace(/[-.]/g, '').length;
    needed = Math.max(needed, significant - 1 - Number(exponent));
    largest = Math.max(largest, Math.abs(value));
  }
  const exponent = largest === 0 ? 0 : exponentOf(largest);
  return Math.min(needed, MAX_DECIMALS, Math.max(2, DIGITS - 1 - exponent));
}

function group(text: string): string {
  const [whole = '', decimals] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
