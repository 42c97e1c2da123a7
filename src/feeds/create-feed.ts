import type { Account } from '../access/index.ts';
import type { Origin } from '../identity/index.ts';
import type { FeedContext } from './context.ts';
import { requireFeedPlan, requireKind } from './kinds.ts';
import { type FeedContent, readContent } from './read-content.ts';
import { requireBelowLimit, type StoredFeed, storeFeed } from './store-feed.ts';
import type { FeedChoice } from './tables.ts';

export interface NewFeedRequest {
  readonly choice: FeedChoice;
  readonly name: string | null;
  readonly origin: Origin;
  readonly signal: AbortSignal;
}

/**
 * Creates a feed of an account. Its content is read once, so that a feed that could not be read is refused with the fault
 * that a read would get.
 */
export async function createFeed(
  context: FeedContext,
  account: Account,
  { choice, name, origin, signal }: NewFeedRequest,
): Promise<StoredFeed> {
  requireFeedPlan(account);
  requireKind(account, choice.kind);
  // Checked before anything is read, and again when the feed is stored.
  await requireBelowLimit(context.database, account.accountId, context.clock.now());
  const content = await readContent(context, account, choice, signal);
  return storeFeed(context, account, { choice: toStoredChoice(content), name, origin });
}

/** Returns what is stored: a forecast by its id, even if the request has its slug. */
function toStoredChoice(content: FeedContent): FeedChoice {
  if (content.kind === 'forecast') return { kind: content.kind, request: { forecast_id: content.forecast.id } };
  return { kind: content.kind, request: content.request } as FeedChoice;
}
