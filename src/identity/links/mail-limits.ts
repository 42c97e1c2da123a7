import { sql } from 'kysely';
import { HOUR_MS } from '../../calendar/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { AccountLinkTable, IdentityTables } from '../tables.ts';

/** Mails an hour to one address that one network can request. */
const MAX_PER_NETWORK = 3;
/** Mails an hour to one address. More would allow a stranger to fill the mailbox. */
const MAX_TOTAL = 5;
/** The total up to which a network still gets its first mail: a stranger must not use up the mails of the owner. */
const MAX_TOTAL_FOR_FIRST = 10;

/** The mails that were sent to an address within the last hour. */
export interface RecentMails {
  readonly total: number;
  /** Those that the same network requested. Requests from an unknown network count as one network. */
  readonly fromNetwork: number;
}

/** Returns whether one more mail would exceed a limit. */
export function isLimitReached({ total, fromNetwork }: RecentMails): boolean {
  return fromNetwork >= MAX_PER_NETWORK || total >= (fromNetwork === 0 ? MAX_TOTAL_FOR_FIRST : MAX_TOTAL);
}

/** Counts the mails to the address of a link, except its own. Blocks other mails to it until the transaction ends. */
export async function countRecentMails(
  tx: Transaction,
  link: Pick<AccountLinkTable, 'id' | 'email' | 'network'>,
  now: Date,
): Promise<RecentMails> {
  // One transaction at a time for each address: two workers must not both count four.
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
