import { SCREENER_FIELD_INFO, SCREENER_FIELDS, type ScreenerField } from '../../../contract/index.ts';
import type { MatchedValues } from '../../evaluate/filter-rules.ts';
import type { SessionDate } from '../../evaluate/metrics-source.ts';
import { previousField } from '../../tables.ts';
import type { MailedFilter } from '../read-content.ts';

/** A column of a table of matches. */
interface Column {
  readonly label: string;
  readonly text: (values: MatchedValues) => string;
}

/**
 * Returns the columns for which matches have values, in the order of the fields. The column of a previous value is next
 * to that of the current one.
 */
export function selectColumns(matches: readonly { readonly values: MatchedValues }[]): Column[] {
  const names = new Set(matches.flatMap(({ values }) => Object.keys(values)));
  return SCREENER_FIELDS.flatMap((field) => {
    const { label } = SCREENER_FIELD_INFO[field];
    return [
      { name: field, label, field },
      { name: previousField(field), label: `${label} (previous)`, field },
    ];
  })
    .filter(({ name }) => names.has(name))
    .map(({ name, label, field }) => ({ label, text: (values) => formatValue(field, values[name] ?? null) }));
}

/** Rounds a value for reading. The API shows every digit. */
export function formatValue(field: ScreenerField, value: number | null): string {
  if (value === null) return '–';
  // Longer numbers are hard to read and too wide for an email.
  if (Math.abs(value) >= 1e12) return value.toExponential(2);
  const { unit } = SCREENER_FIELD_INFO[field];
  if (unit === 'percent') {
    return `${value > 0 ? '+' : ''}${formatDecimals(value, Math.abs(value) >= 100_000 ? 0 : 2)}%`;
  }
  if (unit === 'shares' || Math.abs(value) >= 100_000) return formatDecimals(value, 0);
  return formatDecimals(value, Math.abs(value) < 1 ? 4 : 2);
}

function formatDecimals(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export interface MailLinks {
  readonly siteUrl: string;
  /** The address of the page that turns the emails off. */
  readonly unsubscribe: string;
}

/** @example formatDay('2026-03-09') // Monday, March 9, 2026 */
export function formatDay(session: SessionDate): string {
  return new Date(`${session}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' });
}

/** @example formatCounts({ total: 12, newCount: 0 }) // 12 matches, none new */
export function formatCounts({ total, newCount }: Pick<MailedFilter, 'total' | 'newCount'>): string {
  const matches = total === 1 ? '1 match' : `${total.toLocaleString('en-US')} matches`;
  return `${matches}, ${newCount === 0 ? 'none' : newCount.toLocaleString('en-US')} new`;
}

/** Returns a note about matches that the email does not list; an empty string if it lists all. */
export function formatRemainder({ total, matches }: MailedFilter): string {
  const more = total - matches.length;
  return more > 0 ? `and ${more.toLocaleString('en-US')} more; the API lists all matches` : '';
}
