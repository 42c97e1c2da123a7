import type { Account, Guest } from '../../access/index.ts';
import type { Plan } from '../../contract/index.ts';

export interface CallerLimits {
  /** Forecasts that may wait or run at the same time. */
  readonly slots: number;
  /** Credits a month; null: as many as wanted. */
  readonly credits: number | null;
  /** The most steps ahead. */
  readonly horizon: number;
  /** Whose forecast starts first when workers are busy: the higher one's. */
  readonly priority: number;
}

const GUEST: CallerLimits = { slots: 1, credits: 500, horizon: 96, priority: 0 };

const BY_PLAN: Readonly<Record<Plan, CallerLimits>> = {
  free: { slots: 1, credits: 2_000, horizon: 365, priority: 1 },
  pro: { slots: 4, credits: 50_000, horizon: 365, priority: 2 },
  enterprise: { slots: 32, credits: null, horizon: 365, priority: 3 },
};

export function limitsOf(principal: Pick<Guest, 'kind'> | Pick<Account, 'kind' | 'plan'>): CallerLimits {
  return principal.kind === 'guest' ? GUEST : BY_PLAN[principal.plan];
}
