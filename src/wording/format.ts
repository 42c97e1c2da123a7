import type { Frequency } from '../calendar/index.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** A minus sign is as wide as a digit, unlike the hyphen. */
const MINUS = '\u2212';

/** Values from here on, and below the other limit, are written with an exponent. */
const MAX_PLAIN = 1e15;
const MIN_PLAIN = 1e-6;

const MAX_DECIMALS = 8;

/**
 * Returns a function that formats values of one series, all with the same number of decimals: enough to see a hundredth
 * of their range.
 *
 * @param values values that span the range of the series
 */
export function valueFormat(values: readonly number[]): (value: number) => string {
  const finite = values.filter(Number.isFinite);
  const largest = Math.max(0, ...finite.map(Math.abs));
  const range =
    Math.max(...finite, 0) === 0 && largest === 0 ? 1 : Math.max(...finite) - Math.min(...finite) || largest;
  const decimals = Math.max(0, Math.min(MAX_DECIMALS, 2 - exponentOf(range)));
  const isPlain = largest < MAX_PLAIN && (largest >= MIN_PLAIN || largest === 0);
  return (value) => {
    if (!Number.isFinite(value)) return '–';
    const text = isPlain ? group(Math.abs(value).toFixed(decimals)) : Math.abs(value).toExponential(4);
    return value < 0 && /[1-9]/.test(text) ? `${MINUS}${text}` : text;
  };
}

/** Returns the largest power of ten that is not above a positive number, as its exponent. */
function exponentOf(value: number): number {
  const text = value.toExponential();
  return Number(text.slice(text.indexOf('e') + 1));
}

function group(text: string): string {
  const [whole = '', decimals] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

/** Formats a whole number with separators. */
export function formatInteger(count: number): string {
  return group(String(count));
}

/** @example formatShare(0.8) // 80% */
export function formatShare(share: number, decimals = 1): string {
  return `${Number((share * 100).toFixed(decimals))}%`;
}

/** Formats a ratio or a score with three significant digits. */
export function formatRatio(value: number): string {
  return Number(value.toPrecision(3)).toString();
}

/** @example formatDay(new Date(0)) // Jan 1, 1970 */
export function formatDay(date: Date): string {
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

/** @example formatMoment(new Date(0)) // Jan 1, 1970, 00:00 UTC */
export function formatMoment(date: Date): string {
  return `${formatDay(date)}, ${date.toISOString().slice(11, 16)} UTC`;
}

const INTRADAY: readonly Frequency[] = ['1min', '5min', '15min', '30min', '1h', '4h'];

/** Returns whether the periods of a frequency are shorter than a day. */
export function isIntraday(frequency: Frequency): boolean {
  return INTRADAY.includes(frequency);
}

/** Returns a function that formats the timestamps of a series as people call its periods. */
export function periodFormat(frequency: Frequency): (timestamp: Date) => string {
  if (isIntraday(frequency)) return formatMoment;
  if (frequency === '1MS' || frequency === '1ME')
    return (date) => `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  if (frequency === '1QE') return (date) => `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`;
  if (frequency === '1YE') return (date) => String(date.getUTCFullYear());
  return formatDay;
}

/** @example formatCount(2, 'period') // 2 periods */
export function formatCount(count: number, noun: string): string {
  return `${formatInteger(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a probability. One that is not certain is not shown as 0% or 100%. */
export function formatProbability(probability: number): string {
  if (probability > 0 && probability < 0.001) return '<0.1%';
  if (probability < 1 && probability > 0.999) return '>99.9%';
  return formatShare(probability);
}

/** Formats a number with all its digits, as a rule compares with it. @example formatExact(1250.5) // 1,250.5 */
export function formatExact(value: number): string {
  const [whole = '', ...rest] = String(Math.abs(value)).split('.');
  const text = [/^\d+$/.test(whole) ? group(whole) : whole, ...rest].join('.');
  return value < 0 ? `${MINUS}${text}` : text;
}

const SIZES = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a number of bytes in the units of the limits and refusals. @example formatSize(1_572_864) // 1.5 MiB */
export function formatSize(bytes: number): string {
  const place = bytes < 1024 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log2(bytes) / 10));
  if (place === 0) return formatCount(bytes, 'byte');
  const size = bytes / 1024 ** place;
  return `${size < 100 ? String(Number(size.toFixed(1))) : formatInteger(Math.round(size))} ${SIZES[place]}`;
}
