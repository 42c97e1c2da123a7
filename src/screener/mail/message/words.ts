import type { SessionDate } from '../../evaluate/metrics-source.ts';
import type { MailedFilter } from '../read-content.ts';

/** What a mail says beside its matches. */
export interface Words {
  readonly siteUrl: string;
  /** The address that ends the mails. */
  readonly unsubscribe: string;
}

/** @example sayDay('2026-03-09') // Monday, March 9, 2026 */
export function sayDay(session: SessionDate): string {
  return new Date(`${session}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' });
}

export function countWords({ total, fresh }: Pick<MailedFilter, 'total' | 'fresh'>): string {
  const matches = total === 1 ? '1 match' : `${total.toLocaleString('en-US')} matches`;
  return `${matches}, ${fresh === 0 ? 'none' : fresh.toLocaleString('en-US')} new`;
}

/** Empty when all are listed. */
export function moreWords({ total, matches }: MailedFilter): string {
  const more = total - matches.length;
  return more > 0 ? `and ${more.toLocaleString('en-US')} more, which the API lists` : '';
}
