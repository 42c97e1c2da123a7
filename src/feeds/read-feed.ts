import type { Account } from '../access/index.ts';
import { hashSecret, isLocked, isWellFormedSecret, LAST_USE_PRECISION_MS, readPrincipal } from '../identity/index.ts';
import { skipIfDiskFull } from '../platform/index.ts';
import type { FeedContext } from './context.ts';
import { feedNotFound } from './faults.ts';
import { isLiveFeed, type StoredFeedContext } from './find-feed.ts';
import { requireKind, scopesOfKind } from './kinds.ts';
import { type FeedContent, readContent } from './read-content.ts';
import type { FeedChoice, FeedTable, FeedTables } from './tables.ts';

/**
 * Returns the owner of the feed with this token, or null if the token is malformed or unknown, if the feed has ended, or
 * if its owner is locked. The principal has the present plan of the account and only the scope of the kind of the feed.
 */
export async function authenticateFeed(context: StoredFeedContext, token: string): Promise<Account | null> {
  if (!isWellFormedSecret(token, 'alm_fed_')) return null;
  const feed = await context.database
    .query<FeedTables>()
    .selectFrom('feed')
    .select(['id', 'account_id', 'kind'])
    .where('token_hash', '=', hashSecret(token))
    .where(isLiveFeed(context.clock.now()))
    .executeTakeFirst();
  const owner = feed && (await readPrincipal(context.database, feed.account_id));
  if (!owner || (await isLocked(context.database, owner.accountId))) return null;
  return { ...owner, credential: 'feed', credentialId: feed.id, scopes: scopesOfKind(feed.kind) };
}

/** Reads what a feed returns now. @param owner the principal that `authenticateFeed` returned */
export async function readFeed(context: FeedContext, owner: Account, signal: AbortSignal): Promise<FeedContent> {
  const feed = await context.database
    .query<FeedTables>()
    .selectFrom('feed')
    .select(['id', 'kind', 'request', 'last_read_at'])
    .where('id', '=', owner.credentialId)
    .executeTakeFirst();
  // The feed was deleted after the request was admitted.
  if (feed === undefined) throw feedNotFound();
  requireKind(owner, feed.kind);
  const content = await readContent(context, owner, { kind: feed.kind, request: feed.request } as FeedChoice, signal);
  await skipIfDiskFull(recordRead(context, feed));
  return content;
}

async function recordRead(
  { database, clock }: StoredFeedContext,
  { id, last_read_at }: Pick<FeedTable, 'id' | 'last_read_at'>,
): Promise<void> {
  const now = clock.now();
  const stale = new Date(now.getTime() - LAST_USE_PRECISION_MS);
  if (last_read_at !== null && last_read_at >= stale) return;
  await database
    .query<FeedTables>()
    .updateTable('feed')
    .set({ last_read_at: now })
    .where('id', '=', id)
    // Of several concurrent requests, one writes; the others match no row.
    .where((eb) => eb.or([eb('last_read_at', 'is', null), eb('last_read_at', '<', stale)]))
    .execute();
}
