import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Account } from '../access/index.ts';
import type { Feed } from '../contract/index.ts';
import { liveCreatorCondition, lockAccount, type Origin, recordSecurityEvent } from '../identity/index.ts';
import type { Clock, Database, Executor } from '../platform/index.ts';
import { feedNotDeletable } from './faults.ts';
import { listAllowedKinds } from './kinds.ts';
import type { FeedTable, FeedTables } from './tables.ts';

/** The dependencies of operations on stored feeds. */
export interface StoredFeedContext {
  readonly database: Database;
  readonly clock: Clock;
}

/** Returns the SQL condition that the key or grant with which a feed was created still exists. */
export function isLiveFeed(now: Date): Expression<SqlBool> {
  return liveCreatorCondition({ madeBy: 'feed.made_by', madeUnder: 'feed.made_under' }, now);
}

/** Returns the feeds of an account that its credential may see, newest first. */
export function listFeeds({ database, clock }: StoredFeedContext, account: Account): Promise<FeedTable[]> {
  return database
    .query<FeedTables>()
    .selectFrom('feed')
    .selectAll()
    .where('account_id', '=', account.accountId)
    .where((where) => where('kind', '=', where.fn.any(where.val(listAllowedKinds(account)))))
    .where(isLiveFeed(clock.now()))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Counts the feeds of an account. */
export async function countFeeds({ database, clock }: StoredFeedContext, accountId: string): Promise<number> {
  const { feeds } = await database
    .query<FeedTables>()
    .selectFrom('feed')
    .select(({ fn }) => fn.countAll<number>().as('feeds'))
    .where('account_id', '=', accountId)
    .where(isLiveFeed(clock.now()))
    .executeTakeFirstOrThrow();
  return feeds;
}

/** Deletes a feed of an account. Throws a fault if its credential may not see a feed with this id. */
export async function deleteFeed(
  { database, clock }: StoredFeedContext,
  account: Account,
  { id, origin }: { readonly id: string; readonly origin: Origin },
): Promise<void> {
  const { accountId } = account;
  await database.transaction(async (tx) => {
    // First, as in all transactions that change feeds. The security event refers to the account.
    await lockAccount(tx, accountId);
    const deleted = await tx
      .query<FeedTables>()
      .deleteFrom('feed')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where((where) => where('kind', '=', where.fn.any(where.val(listAllowedKinds(account)))))
      .returning('kind')
      .executeTakeFirst();
    if (deleted === undefined) throw feedNotDeletable();
    const details = { feed_id: id, kind: deleted.kind };
    await recordSecurityEvent(tx, { accountId, kind: 'feed_deleted', at: clock.now(), origin, details });
  });
}

/** Removes all feeds of an account. @returns their number */
export async function removeAccountFeeds(executor: Executor, accountId: string): Promise<number> {
  const removed = await executor
    .query<FeedTables>()
    .deleteFrom('feed')
    .where('account_id', '=', accountId)
    .returning('id')
    .execute();
  return removed.length;
}

/** Returns a feed as the API shows it, without its URL. */
export function viewFeed({ id, kind, name, request, created_at, last_read_at }: FeedTable): z.input<typeof Feed> {
  return {
    id,
    kind,
    name,
    request,
    created_at: created_at.toISOString(),
    last_read_at: last_read_at?.toISOString() ?? null,
  };
}
