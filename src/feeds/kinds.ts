import { type Account, canUseApi, decideCaller } from '../access/index.ts';
import { type Action, FEED_KINDS, type FeedKind, type Scope, scopesFor } from '../contract/index.ts';
import { feedKindDenied, feedPlanRequired } from './faults.ts';

/** The action of the operation whose CSV a feed of each kind returns. */
const ACTIONS: Readonly<Record<FeedKind, Action>> = {
  history: 'datasets.read',
  observations: 'datasets.read',
  forecast: 'forecast.read',
};

/** Returns the scope that reads of a kind need. */
export function scopesOfKind(kind: FeedKind): readonly Scope[] {
  return scopesFor(ACTIONS[kind]);
}

/** Returns the kinds of feeds that the scopes of a credential allow. */
export function listAllowedKinds(account: Account): FeedKind[] {
  return FEED_KINDS.filter((kind) => decideCaller(account, ACTIONS[kind]).allowed);
}

/** Checks that the plan of the account and the scopes of its credential allow a kind of feed. */
export function requireKind(account: Account, kind: FeedKind): void {
  const decision = decideCaller(account, ACTIONS[kind]);
  if (!decision.allowed) throw feedKindDenied(kind, decision.code, decision.missingScope);
}

/** Checks that the plan allows feeds. A browser session is enough for other requests, but not for a feed. */
export function requireFeedPlan(account: Account): void {
  if (!canUseApi({ ...account, credential: 'feed' })) throw feedPlanRequired();
}
