/** A minus sign is as wide as a digit, unlike the hyphen. */
const MINUS = '\u2212';

const UNITS = [
  { size: 1e12, suffix: 'T' },
  { size: 1e9, suffix: 'B' },
  { size: 1e6, suffix: 'M' },
] as const;

/** Values from here on are written with an exponent. */
const MAX_PLAIN = 1e15;
const MIN_PLAIN = 1e-6;

/** The largest power of ten that is not above a positive number, as its exponent. */
export function exponentOf(value: number): number {
  // Math.log10 differs between processors in the last bit; the text form does not.
  const text = value.toExponential();
  return Number(text.slice(text.indexOf('e') + 1));
}

/** Returns 10 to a whole power, exactly rounded. */
export function powerOfTen(exponent: number): number {
  return Number(`1e${exponent}`);
}

/**
 * Formats a number for people, with at most seven significant digits. The form does not depend on the locale.
 *
 * @example formatValue(-1234567.8) // −1,234,568
 */
export function formatValue(value: number): string {
  if (!Number.isFinite(value)) return '';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= MAX_PLAIN || size < MIN_PLAIN) return formatExponent(value, 6);
  const decimals = Math.max(0, Math.min(12, 6 - exponentOf(size)));
  return withSign(trimZeros(group(size.toFixed(decimals))), value);
}

/** Returns the function that formats the labels of an axis, all with the same unit and number of decimals. */
export function axisFormat(step: number, largest: number): (value: number) => string {
  const size = Math.max(Math.abs(largest), step);
  if (size >= MAX_PLAIN || size < MIN_PLAIN * 10) {
    const digits = Math.max(0, Math.min(15, exponentOf(size) - exponentOf(step) + (isTwoDigits(step) ? 1 : 0)));
    return (value) => (value === 0 ? '0' : formatExponent(value, digits));
  }
  const unit = UNITS.find((one) => size >= one.size && step >= one.size / 1000) ?? { size: 1, suffix: '' };
  const scaled = step / unit.size;
  const decimals = Math.max(0, Math.min(20, -exponentOf(scaled) + (isTwoDigits(step) ? 1 : 0)));
  return (value) => {
    const text = group((Math.abs(value) / unit.size).toFixed(decimals));
    return withSign(`${unit.suffix === '' ? text : trimZeros(text)}${value === 0 ? '' : unit.suffix}`, value);
  };
}

/** Formats the level of a quantile or an interval as a percentage, such as 2.5%. */
export function formatPercent(share: number): string {
  return `${Math.round(share * 1e5) / 1e3}%`;
}

/** Formats a probability with one decimal, as the pages do. One that is not certain is not shown as 0% or 100%. */
export function formatProbability(probability: number): string {
  if (probability > 0 && probability < 0.001) return '<0.1%';
  if (probability < 1 && probability > 0.999) return '>99.9%';
  return `${Math.round(probability * 1e3) / 10}%`;
}

/** Formats a whole number with separators. */
export function formatCount(count: number): string {
  return group(String(count));
}

/** Steps of 2.5, 25 … need one more digit than steps of 1, 2 and 5. */
function isTwoDigits(step: number): boolean {
  return step.toExponential(1).startsWith('2.5');
}

function formatExponent(value: number, digits: number): string {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential(digits).split('e');
  return withSign(`${trimZeros(mantissa)}e${exponent.replace('+', '').replace('-', MINUS)}`, value);
}

function withSign(text: string, value: number): string {
  // A small negative number that is rounded to zero has no sign.
  return value < 0 && /[1-9]/.test(text) ? `${MINUS}${text}` : text;
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function group(text: string): string {
  const [whole = '', decimals] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
