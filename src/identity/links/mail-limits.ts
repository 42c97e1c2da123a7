import { sql } from 'kysely';
import { HOUR_MS } from '../../calendar/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { AccountLinkTable, IdentityTables } from '../tables.ts';

/** Number of emails an hour to one address that one network can request. */
const MAX_PER_NETWORK = 3;
/** Number of emails an hour to one address. With more, a stranger could flood the mailbox. */
const MAX_TOTAL = 5;
/**
 * Up to this number of emails an hour, a network that has not requested any can still request one, so that a stranger
 * cannot lock the owner out.
 */
const MAX_TOTAL_FOR_FIRST = 10;

/** The number of emails that were sent to an address within the last hour. */
export interface RecentMails {
  readonly total: number;
  /** The number of them that the same network requested. All unknown networks count as one. */
  readonly fromNetwork: number;
}

/** Returns whether one more mail would exceed a limit. */
export function isLimitReached({ total, fromNetwork }: RecentMails): boolean {
  return fromNetwork >= MAX_PER_NETWORK || total >= (fromNetwork === 0 ? MAX_TOTAL_FOR_FIRST : MAX_TOTAL);
}

/**
 * Counts the other emails to the address of a link. Makes concurrent emails to the address wait until the transaction
 * ends.
 */
export async function countRecentMails(
  tx: Transaction,
  link: Pick<AccountLinkTable, 'id' | 'email' | 'network'>,
  now: Date,
): Promise<RecentMails> {
  // The lock allows one transaction at a time for each address. Otherwise two workers could both count four.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`mail to ${link.email}`}, 0))`.execute(tx.query());
  return tx
    .query<IdentityTables>()
    .selectFrom('account_link')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('network', 'is not distinct from', link.network).as('fromNetwork'),
    ])
    .where('email', '=', link.email)
    .where('id', '!=', link.id)
    .where('sent_at', '>', new Date(now.getTime() - HOUR_MS))
    .executeTakeFirstOrThrow();
}
