import type { Account, Guest } from '../access/index.ts';
import type { Executor } from '../platform/index.ts';
import { effectivePlan, type FoundMembership, workspaceDenied } from '../workspaces/index.ts';
import { type CallerLimits, limitsOf } from './metering/limits.ts';
import { ownerOf } from './owner.ts';

/** Whose slots and credits a forecast takes, and by which limits. */
export interface Charge {
  readonly payer: string;
  readonly limits: CallerLimits;
  /** Whether the one who asks pays. */
  readonly isOwn: boolean;
}

/**
 * In a workspace its owner pays, by the owner's plan, whoever asks: what a workspace can do does not grow with the
 * number of its members, and none of them is charged twice. Elsewhere everybody pays for what it asks for.
 *
 * @param place of the caller in the workspace; null: the forecast is in none
 */
export async function chargeFor(
  executor: Executor,
  principal: Account | Guest,
  place: FoundMembership | null,
): Promise<Charge> {
  const own = ownerOf(principal).id;
  if (place === null || principal.kind === 'guest' || place.ownerAccountId === own) {
    return { payer: own, limits: limitsOf(principal), isOwn: true };
  }
  const plan = await effectivePlan(executor, principal.accountId, place.workspaceId);
  // The place was there a moment ago.
  if (plan === null) throw workspaceDenied();
  return { payer: place.ownerAccountId, limits: limitsOf({ kind: 'account', plan }), isOwn: false };
}
