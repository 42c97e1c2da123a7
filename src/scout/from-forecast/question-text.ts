import type { Frequency } from '../../calendar/index.ts';
import type { RuleOperator, SourceReference } from '../../contract/index.ts';
import { OPERATOR_TEXT } from '../rules/decide-outcome.ts';

/** The words with which a question names a series. */
export interface Subject {
  readonly category: string;
  readonly entity: { readonly type: string; readonly name: string; readonly ticker: string };
  /** @example '^GSPC' */
  readonly name: string;
  /** The verb of a question. @example 'close' */
  readonly infinitive: string;
  /** The verb of a headline. @example 'closes' */
  readonly presentTense: string;
}

const MAX_NAME_LENGTH = 120;

/** @param title the title of the series, or of the forecast if the series has none */
export function describeSubject(source: SourceReference | null, title: string | null): Subject {
  const name = toOneLine(title ?? '') || 'The series';
  const be = { infinitive: 'be', presentTense: 'is' };
  if (source?.type === 'market') {
    const { symbol, value_field: field = 'close' } = source;
    const entity = { type: 'instrument', name: toOneLine(title ?? '') || symbol, ticker: symbol };
    const wording =
      field === 'close'
        ? { name: symbol, infinitive: 'close', presentTense: 'closes' }
        : { name: `the ${field} of ${symbol}`, ...be };
    return { category: 'markets', entity, ...wording };
  }
  const category = source?.type === 'economic_series' ? 'economy' : 'series';
  const seriesName = source?.type === 'workspace_csv' ? nameColumn(toOneLine(source.value_field), name) : name;
  return { category, entity: { type: 'series', name: seriesName, ticker: '' }, name: seriesName, ...be };
}

/** Names a column of a file once. The title of a file's series ends with the column, and a person may have named it too. */
function nameColumn(column: string, title: string): string {
  const file = title.endsWith(`: ${column}`) ? title.slice(0, -`: ${column}`.length) : title;
  const isNamed = file === column || file.startsWith(`${column} `);
  return toOneLine(isNamed ? file : `${column} of ${file}`);
}

/** The comparison that a question asks about, and its period. */
interface QuestionTerms {
  readonly op: RuleOperator;
  readonly threshold: number;
  readonly frequency: Frequency;
  readonly timestamp: number;
}

export function formatQuestion({ name, infinitive }: Subject, terms: QuestionTerms): string {
  return `Will ${name} ${infinitive} ${formatTerms(terms)}?`;
}

export function formatHeadline({ name, presentTense }: Subject, terms: QuestionTerms): string {
  const line = `${name} ${presentTense} ${formatTerms(terms)}`;
  return line.charAt(0).toUpperCase() + line.slice(1);
}

function formatTerms({ op, threshold, frequency, timestamp }: QuestionTerms): string {
  return `${OPERATOR_TEXT[op]} ${formatExactNumber(threshold)} ${formatPeriod(frequency, timestamp)}`;
}

const MONTH_FORMAT = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function formatPeriod(frequency: Frequency, timestamp: number): string {
  const date = new Date(timestamp);
  const [day, time] = [date.toISOString().slice(0, 10), date.toISOString().slice(11, 16)];
  if (frequency === '1D') return `on ${day}`;
  if (frequency === '1W-MON') return `in the week of ${day}`;
  if (frequency === '1MS' || frequency === '1ME') return `in ${MONTH_FORMAT.format(date)}`;
  if (frequency === '1QE') return `in Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`;
  if (frequency === '1YE') return `in ${date.getUTCFullYear()}`;
  return `in the ${frequency} from ${time} UTC on ${day}`;
}

/**
 * Formats a number as its shortest exact decimal, so that a question shows exactly the threshold of its rule.
 * @example formatExactNumber(1250) // 1,250
 */
export function formatExactNumber(value: number): string {
  const [whole = '', ...rest] = String(value).split('.');
  return [/^-?\d+$/.test(whole) ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole, ...rest].join('.');
}

function toOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
}
