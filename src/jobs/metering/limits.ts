import type { Account, Guest } from '../../access/index.ts';
import type { Plan } from '../../contract/index.ts';

export interface CallerLimits {
  /** Forecasts that may wait or run at the same time. */
  readonly slots: number;
  /** Credits a month; null: as many as wanted. */
  readonly credits: number | null;
  /** The most steps ahead. */
  readonly horizon: number;
}

const GUEST: CallerLimits = { slots: 1, credits: 500, horizon: 96 };

const BY_PLAN: Readonly<Record<Plan, CallerLimits>> = {
  free: { slots: 1, credits: 2_000, horizon: 365 },
  pro: { slots: 4, credits: 50_000, horizon: 365 },
  enterprise: { slots: 32, credits: null, horizon: 365 },
};

export function limitsOf(principal: Pick<Guest, 'kind'> | Pick<Account, 'kind' | 'plan'>): CallerLimits {
  return principal.kind === 'guest' ? GUEST : BY_PLAN[principal.plan];
}
