import { type Account, type Guest, type Membership, type Principal, WHOLE_SCOPE } from '../access/index.ts';
import type { Plan } from '../contract/index.ts';
import type { Executor } from '../platform/index.ts';
import { type FoundMembership, readOwnerPlan, workspaceDenied } from '../workspaces/index.ts';

/**
 * The caller that created a forecast, or the account that saved it. Another account may pay for the forecast: see
 * `findPayer`.
 */
export interface Owner {
  /** The id of the account or of the guest. */
  readonly id: string;
  readonly accountId: string | null;
  readonly guestId: string | null;
}

/** The owner and the payer of a forecast that stayed when its account was erased. No caller has this id. */
export const NAMELESS = 'nameless';

export function ownerOf(principal: Account | Guest): Owner {
  return principal.kind === 'account'
    ? { id: principal.accountId, accountId: principal.accountId, guestId: null }
    : { id: principal.guestId, accountId: null, guestId: principal.guestId };
}

/** Narrows the type of the principal in an operation that the policy does not allow for anonymous callers. */
export function requireCaller(principal: Principal): Account | Guest {
  if (principal.kind === 'anonymous') throw new Error('The policy admitted a caller without an identity.');
  return principal;
}

/**
 * Returns a membership as it applies to the member's own private forecasts. A selected resource scope never contains
 * these forecasts, because other members see the scope. It therefore does not exclude them. The resource scope `none`
 * does.
 */
export function creatorMembership<Found extends Membership>(membership: Found): Found {
  return membership.forecasts.mode === 'none' ? membership : { ...membership, forecasts: WHOLE_SCOPE };
}

/** The limits of a plan on forecasts. */
export interface ForecastLimits {
  /** The number of forecasts that may be queued or running at the same time. */
  readonly slots: number;
  /** The credits per month; null if they are unlimited. */
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

/** @param plan null for a guest */
export function forecastLimits(plan: Plan | null): ForecastLimits {
  return plan === null ? GUEST_LIMITS : LIMITS_BY_PLAN[plan];
}

/** The account or guest whose slots and credits a forecast takes. */
export interface Payer {
  readonly id: string;
  /** Null for a guest. */
  readonly plan: Plan | null;
  readonly limits: ForecastLimits;
  /** Whether the payer is the caller. */
  readonly isCaller: boolean;
}

/**
 * Returns the payer of a forecast. In a workspace, the owner of the workspace pays under the owner's plan, whichever
 * member sends the request, so the capacity of a workspace does not grow with the number of its members. Outside a
 * workspace the caller pays.
 *
 * @param membership the caller's membership in the workspace; null if the forecast is not in a workspace
 */
export async function findPayer(
  executor: Executor,
  principal: Account | Guest,
  membership: FoundMembership | null,
): Promise<Payer> {
  const own = ownerOf(principal).id;
  if (membership === null || principal.kind === 'guest' || membership.ownerAccountId === own) {
    const plan = principal.kind === 'guest' ? null : principal.plan;
    return { id: own, plan, limits: forecastLimits(plan), isCaller: true };
  }
  const plan = await readOwnerPlan(executor, principal.accountId, membership.workspaceId);
  // The membership was removed after it was read.
  if (plan === null) throw workspaceDenied();
  return { id: membership.ownerAccountId, plan, limits: forecastLimits(plan), isCaller: false };
}
