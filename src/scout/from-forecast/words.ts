import type { Frequency } from '../../calendar/index.ts';
import type { RuleOperator, SourceReference } from '../../contract/index.ts';
import { OPERATOR_WORDS } from '../rules/decide-outcome.ts';

/** What a series is called in a question. */
export interface Subject {
  readonly category: string;
  readonly entity: { readonly type: string; readonly name: string; readonly ticker: string };
  /** @example ['^GSPC', 'close', 'closes'] */
  readonly name: string;
  readonly asked: string;
  readonly told: string;
}

const LONGEST_NAME = 120;

/** @param title of the series where it has one, or else of the forecast */
export function subjectOf(source: SourceReference | null, title: string | null): Subject {
  const name = oneLine(title ?? '') || 'The series';
  const be = { asked: 'be', told: 'is' };
  if (source?.type === 'market') {
    const { symbol, value_field: field = 'close' } = source;
    const entity = { type: 'instrument', name: oneLine(title ?? '') || symbol, ticker: symbol };
    const spoken =
      field === 'close'
        ? { name: symbol, asked: 'close', told: 'closes' }
        : { name: `the ${field} of ${symbol}`, ...be };
    return { category: 'markets', entity, ...spoken };
  }
  const category = source?.type === 'economic_series' ? 'economy' : 'series';
  const spoken = source?.type === 'workspace_csv' ? `${oneLine(source.value_field)} of ${name}` : name;
  return { category, entity: { type: 'series', name: oneLine(spoken), ticker: '' }, name: oneLine(spoken), ...be };
}

/** One question about one period. */
export interface Asked {
  readonly op: RuleOperator;
  readonly threshold: number;
  readonly frequency: Frequency;
  readonly timestamp: number;
}

export function questionOf({ name, asked }: Subject, about: Asked): string {
  return `Will ${name} ${asked} ${claimOf(about)}?`;
}

export function headlineOf({ name, told }: Subject, about: Asked): string {
  const line = `${name} ${told} ${claimOf(about)}`;
  return line.charAt(0).toUpperCase() + line.slice(1);
}

function claimOf({ op, threshold, frequency, timestamp }: Asked): string {
  return `${OPERATOR_WORDS[op]} ${sayNumber(threshold)} ${sayPeriod(frequency, timestamp)}`;
}

const MONTHS = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function sayPeriod(frequency: Frequency, timestamp: number): string {
  const date = new Date(timestamp);
  const [day, time] = [date.toISOString().slice(0, 10), date.toISOString().slice(11, 16)];
  if (frequency === '1D') return `on ${day}`;
  if (frequency === '1W-MON') return `in the week of ${day}`;
  if (frequency === '1MS' || frequency === '1ME') return `in ${MONTHS.format(date)}`;
  if (frequency === '1QE') return `in Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`;
  if (frequency === '1YE') return `in ${date.getUTCFullYear()}`;
  return `in the ${frequency} from ${time} UTC on ${day}`;
}

/**
 * The shortest decimal that is this number and no other: what a question says is what its rule compares with.
 * @example sayNumber(1250) // 1,250
 */
export function sayNumber(value: number): string {
  const [whole = '', ...rest] = String(value).split('.');
  return [/^-?\d+$/.test(whole) ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole, ...rest].join('.');
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed();
}
