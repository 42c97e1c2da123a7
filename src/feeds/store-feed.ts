import type { Account } from '../access/index.ts';
import { MAX_FEEDS } from '../contract/index.ts';
import { hashSecret, lockAccount, newSecret, type Origin, recordSecurityEvent } from '../identity/index.ts';
import { type Executor, jsonb, newId, type Transaction } from '../platform/index.ts';
import { tooManyFeeds } from './faults.ts';
import { isLiveFeed, type StoredFeedContext } from './find-feed.ts';
import type { FeedChoice, FeedTable, FeedTables } from './tables.ts';

/** A feed with its token. Only the hash of the token is stored, so the token can be shown only now. */
export interface StoredFeed {
  readonly feed: FeedTable;
  readonly token: string;
}

interface FeedToStore {
  readonly choice: FeedChoice;
  readonly name: string | null;
  readonly origin?: Origin;
}

/** Stores a feed, up to the limit of the account. The feed ends with the key or grant of the caller. */
export async function storeFeed(
  { database, clock }: StoredFeedContext,
  { accountId, credential, credentialId, dependsOn }: Account,
  { choice, name, origin }: FeedToStore,
): Promise<StoredFeed> {
  const now = clock.now();
  const token = newSecret('alm_fed_');
  const row = {
    id: newId('feed', now.getTime()),
    account_id: accountId,
    kind: choice.kind,
    name,
    request: jsonb(choice.request),
    token_hash: hashSecret(token),
    made_by: credential === 'key' ? credentialId : null,
    made_under: dependsOn ?? null,
    created_at: now,
    last_read_at: null,
  };
  const feed = await database.transaction(async (tx) => {
    // Serializes the requests of an account, so that two concurrent requests cannot both add the last feed.
    await lockAccount(tx, accountId);
    await removeEndedFeeds(tx, accountId, now);
    await requireBelowLimit(tx, accountId, now);
    const stored = await tx.query<FeedTables>().insertInto('feed').values(row).returningAll().executeTakeFirstOrThrow();
    const details = { feed_id: row.id, kind: row.kind };
    await recordSecurityEvent(tx, { accountId, kind: 'feed_created', at: now, origin, details });
    return stored;
  });
  return { feed, token };
}

/** Throws a fault if an account has the maximum number of feeds. Those whose key or grant has ended do not count. */
export async function requireBelowLimit(executor: Executor, accountId: string, now: Date): Promise<void> {
  const { count } = await executor
    .query<FeedTables>()
    .selectFrom('feed')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where(isLiveFeed(now))
    .executeTakeFirstOrThrow();
  if (count >= MAX_FEEDS) throw tooManyFeeds(MAX_FEEDS);
}

/** Removes the feeds of an account whose key or grant has ended: no request can read them again. */
async function removeEndedFeeds(tx: Transaction, accountId: string, now: Date): Promise<void> {
  await tx
    .query<FeedTables>()
    .deleteFrom('feed')
    .where('account_id', '=', accountId)
    .where((eb) => eb.not(isLiveFeed(now)))
    .execute();
}
