import { type Account, type Guest, type Membership, type Principal, WHOLE_SCOPE } from '../access/index.ts';
import type { Plan } from '../contract/index.ts';
import type { Executor } from '../platform/index.ts';
import { type FoundMembership, readOwnerPlan, workspaceDenied } from '../workspaces/index.ts';

/** The caller that created a forecast or has saved it. Another account may pay for it: see `findPayer`. */
export interface Owner {
  /** The account's id, or the guest's. */
  readonly id: string;
  readonly accountId: string | null;
  readonly guestId: string | null;
}

export function ownerOf(principal: Account | Guest): Owner {
  return principal.kind === 'account'
    ? { id: principal.accountId, accountId: principal.accountId, guestId: null }
    : { id: principal.guestId, accountId: null, guestId: principal.guestId };
}

/** Narrows the principal of an operation that the policy closes to anonymous callers. */
export function requireCaller(principal: Principal): Account | Guest {
  if (principal.kind === 'anonymous') throw new Error('The policy admitted a caller without an identity.');
  return principal;
}

/**
 * Returns a membership as it applies to the member's own private forecasts. These are in no selected scope, because
 * other members see the scope, so a selected scope does not exclude them; the scope `none` does.
 */
export function creatorMembership<Found extends Membership>(membership: Found): Found {
  return membership.forecasts.mode === 'none' ? membership : { ...membership, forecasts: WHOLE_SCOPE };
}

/** What a plan allows its account to do with forecasts. */
export interface ForecastLimits {
  /** Forecasts that may be queued or running at the same time. */
  readonly slots: number;
  /** Credits a month; null: unlimited. */
  readonly credits: number | null;
  /** The largest horizon. */
  readonly horizon: number;
  /** When all workers are busy, the queued forecast with the highest priority starts first. */
  readonly priority: number;
}

const GUEST_LIMITS: ForecastLimits = { slots: 1, credits: 500, horizon: 96, priority: 0 };

const LIMITS_BY_PLAN: Readonly<Record<Plan, ForecastLimits>> = {
  free: { slots: 1, credits: 2_000, horizon: 365, priority: 1 },
  pro: { slots: 4, credits: 50_000, horizon: 365, priority: 2 },
  enterprise: { slots: 32, credits: null, horizon: 365, priority: 3 },
};

/** @param plan null: of a guest */
export function forecastLimits(plan: Plan | null): ForecastLimits {
  return plan === null ? GUEST_LIMITS : LIMITS_BY_PLAN[plan];
}

/** The account or guest whose slots and credits a forecast takes. */
export interface Payer {
  readonly id: string;
  readonly limits: ForecastLimits;
  /** Whether the caller pays for itself. */
  readonly isCaller: boolean;
}

/**
 * Returns the payer of a forecast. In a workspace its owner pays, under the owner's plan, whichever member sends the
 * request: the capacity of a workspace does not grow with the number of its members, and no member is charged twice.
 * Elsewhere the caller pays.
 *
 * @param membership of the caller in the workspace; null: the forecast is in none
 */
export async function findPayer(
  executor: Executor,
  principal: Account | Guest,
  membership: FoundMembership | null,
): Promise<Payer> {
  const own = ownerOf(principal).id;
  if (membership === null || principal.kind === 'guest' || membership.ownerAccountId === own) {
    const plan = principal.kind === 'guest' ? null : principal.plan;
    return { id: own, limits: forecastLimits(plan), isCaller: true };
  }
  const plan = await readOwnerPlan(executor, principal.accountId, membership.workspaceId);
  // The membership was removed after it was read.
  if (plan === null) throw workspaceDenied();
  return { id: membership.ownerAccountId, limits: forecastLimits(plan), isCaller: false };
}
