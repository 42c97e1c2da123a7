import { sql } from 'kysely';
import type { Transaction } from '../../platform/index.ts';
import type { AccountLinkTable, IdentityTables } from '../tables.ts';

const HOUR = 3_600_000;

/** Mails an hour to one address that one network can ask for. */
const FROM_A_NETWORK = 3;
/** Mails an hour to one address. More would be somebody else filling the mailbox. */
const IN_ALL = 5;
/** Beyond those a network gets its first one still, up to so many: somebody else must not use up what the owner needs. */
const AT_MOST = 10;

/** The mails that went to an address within an hour. */
export interface RecentMails {
  readonly inAll: number;
  /** Those that the same network asked for. Requests from nowhere that we know count as one network. */
  readonly fromNetwork: number;
}

/** Whether one more would be too many. */
export function isEnough({ inAll, fromNetwork }: RecentMails): boolean {
  return fromNetwork >= FROM_A_NETWORK || inAll >= (fromNetwork === 0 ? AT_MOST : IN_ALL);
}

/** Counts the mails to the address of a link, its own left out. No other mail goes to it before the transaction ends. */
export async function countRecentMails(
  tx: Transaction,
  link: Pick<AccountLinkTable, 'id' | 'email' | 'network'>,
  now: Date,
): Promise<RecentMails> {
  // One after the other for each address: two workers must not both count four.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`mail to ${link.email}`}, 0))`.execute(tx.query());
  return tx
    .query<IdentityTables>()
    .selectFrom('account_link')
    .select(({ fn }) => [
      fn.countAll<number>().as('inAll'),
      fn.countAll<number>().filterWhere('network', 'is not distinct from', link.network).as('fromNetwork'),
    ])
    .where('email', '=', link.email)
    .where('id', '!=', link.id)
    .where('sent_at', '>', new Date(now.getTime() - HOUR))
    .executeTakeFirstOrThrow();
}
