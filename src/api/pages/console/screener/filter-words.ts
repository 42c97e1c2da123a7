import {
  SCREENER_FIELD_INFO,
  SCREENER_FIELDS,
  SCREENER_OPS,
  type ScreenerField,
  type ScreenerOp,
} from '../../../../contract/index.ts';
import { formatCount } from '../../format.ts';

/** How a condition compares, as the middle of a sentence. */
export const OP_WORDS: Readonly<Record<ScreenerOp, string>> = {
  gt: 'is above',
  gte: 'is at least',
  lt: 'is below',
  lte: 'is at most',
  eq: 'equals',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
  between: 'is between',
};

/** A condition as the API shows it. */
export interface ShownCondition {
  readonly field: string;
  readonly op: string;
  readonly value?: number | readonly number[] | undefined;
  readonly other_field?: string | undefined;
}

/** The rules of a filter as the API shows them. */
export interface ShownRules {
  readonly universe: 'all' | readonly string[];
  readonly all?: readonly ShownCondition[] | undefined;
  readonly any?: readonly ShownCondition[] | undefined;
}

export function isField(name: string): name is ScreenerField {
  return (SCREENER_FIELDS as readonly string[]).includes(name);
}

export function isOp(name: string): name is ScreenerOp {
  return (SCREENER_OPS as readonly string[]).includes(name);
}

export function labelOf(field: string): string {
  return isField(field) ? SCREENER_FIELD_INFO[field].label : field;
}

/** So many symbols fit in a sentence. */
const MAX_NAMED = 6;

/**
 * Returns a filter as a sentence.
 *
 * @example describeRules({ universe: 'all', all: [{ field: 'rsi_14', op: 'lt', value: 30 }] }) // All symbols whose RSI 14 is below 30.
 */
export function describeRules({ universe, all, any }: ShownRules): string {
  const conditions = (all ?? any ?? []).map(describeCondition);
  const joined = conditions.join(all === undefined ? ' or ' : ' and ');
  return `${describeUniverse(universe)} whose ${joined}.`;
}

function describeUniverse(universe: ShownRules['universe']): string {
  if (universe === 'all') return 'All symbols';
  const named = universe.slice(0, MAX_NAMED);
  if (universe.length > named.length)
    return `Those of ${formatCount(universe.length, 'symbol')} (${named.join(', ')}, …)`;
  return `Those of ${formatList(named)}`;
}

/** @example describeCondition({ field: 'close', op: 'gt', other_field: 'sma_200' }) // close is above SMA 200 */
export function describeCondition({ field, op, value, other_field }: ShownCondition): string {
  const words = isOp(op) ? OP_WORDS[op] : op;
  const bound =
    other_field !== undefined
      ? nameInSentence(other_field)
      : typeof value === 'number'
        ? formatBound(field, value)
        : (value ?? []).map((end) => formatBound(field, end)).join(' and ');
  return `${nameInSentence(field)} ${words} ${bound}`;
}

/** Labels that are not nouns read badly after "whose". */
const DISTANCES: Readonly<Record<string, string>> = {
  pct_from_52w_high: 'distance from its 52-week high',
  pct_from_52w_low: 'distance from its 52-week low',
};

/** Abbreviations keep their capitals; other labels are words. */
function nameInSentence(field: string): string {
  const words = DISTANCES[field];
  if (words !== undefined) return words;
  const label = labelOf(field);
  return /^(?:[A-Z]{3}|\d)/.test(label) ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

/** @example formatList(['A', 'B', 'C']) // A, B and C */
export function formatList(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const MINUS = '\u2212';

/** Formats a number that was typed, with all of its digits. */
function formatBound(field: string, value: number): string {
  const digits = Math.abs(value).toLocaleString('en-US', { maximumFractionDigits: 12 });
  return `${value < 0 ? MINUS : ''}${digits}${unitOf(field) === 'percent' ? '%' : ''}`;
}

/** Rounds a value of a field for reading. The API shows every digit. */
export function formatFieldValue(field: string, value: number | null): string {
  if (value === null) return '–';
  const size = Math.abs(value);
  const sign = value < 0 ? MINUS : '';
  if (size >= 1e12) return `${sign}${size.toExponential(2)}`;
  const unit = unitOf(field);
  if (unit === 'percent') {
    const text = formatDecimals(size, size >= 1000 ? 0 : 2);
    return `${/[1-9]/.test(text) ? sign || '+' : ''}${text}%`;
  }
  if (unit === 'shares' || size >= 100_000) return `${sign}${formatDecimals(size, 0)}`;
  return `${sign}${formatDecimals(size, size < 1 && size > 0 ? 4 : 2)}`;
}

function unitOf(field: string): 'percent' | 'shares' | null {
  return isField(field) ? SCREENER_FIELD_INFO[field].unit : null;
}

function formatDecimals(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** @example formatMatches(12, 3) // 12 matches, 3 new */
export function formatMatches(total: number, newTotal: number): string {
  if (total === 0) return 'No matches';
  const matches = total === 1 ? '1 match' : `${total.toLocaleString('en-US')} matches`;
  return `${matches}, ${newTotal === 0 ? 'none' : newTotal.toLocaleString('en-US')} new`;
}
