import { sql } from 'kysely';
import type { Executor } from '../database/index.ts';
import { budgetCapacity, tokensAt } from './budget.ts';
import type { ProviderFault } from './provider-error.ts';
import { isAhead, sqlInstant } from './provider-gate.ts';

/** The state of a provider, as all processes share it. */
export interface ProviderState {
  readonly provider: string;
  /** `trial`: the breaker has been open long enough, and the next request decides whether it closes. */
  readonly state: 'closed' | 'open' | 'trial';
  /** The number of failed calls in a row. */
  readonly failures: number;
  readonly openedAt: Date | null;
  /** The end of the pause; null unless the breaker is open. */
  readonly openedUntil: Date | null;
  /** Exact to a minute. */
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly lastFault: ProviderFault | null;
  /** The number of requests that may be sent now without a pause. */
  readonly requestsLeft: number;
}

/**
 * Returns the states of all providers that got a request. A provider that is missing has a closed breaker and a full
 * budget.
 *
 * @param now the clock, if it is not that of the database
 */
export async function readProviderStates(executor: Executor, now?: () => number): Promise<readonly ProviderState[]> {
  const at = sqlInstant(now);
  const isOpen = isAhead(sql`s.opened_until`, at);
  const { rows } = await sql<ProviderState>`
    SELECT provider, failures,
      CASE WHEN opened_until IS NULL THEN 'closed' WHEN ${isOpen} THEN 'open' ELSE 'trial' END AS state,
      opened_at AS "openedAt",
      CASE WHEN ${isOpen} THEN opened_until END AS "openedUntil",
      last_success_at AS "lastSuccessAt", last_failure_at AS "lastFailureAt", last_fault AS "lastFault",
      CASE WHEN ${isAhead(sql`s.paused_until`, at)} THEN 0
        ELSE greatest(0, floor(${tokensAt(at, sql`s.requests_per_minute`)})) END::float8 AS "requestsLeft"
    FROM provider_state AS s ORDER BY provider
  `.execute(executor.query());
  return rows;
}

/** The state of a provider as operators see it. */
export interface ProviderStateView {
  readonly state: ProviderState['state'];
  readonly last_success_at: string | null;
  readonly last_failure: { readonly at: string; readonly fault: ProviderFault } | null;
  /** Null if no requests are sent to the provider. */
  readonly requests_left: number | null;
}

/** @param state undefined for a provider that got no request yet */
export function viewProviderState(
  state: ProviderState | undefined,
  { requestsPerMinute, isUsed }: { readonly requestsPerMinute: number | null; readonly isUsed: boolean },
): ProviderStateView {
  const { lastFailureAt, lastFault } = state ?? {};
  return {
    state: state?.state ?? 'closed',
    last_success_at: state?.lastSuccessAt?.toISOString() ?? null,
    last_failure: lastFailureAt && lastFault ? { at: lastFailureAt.toISOString(), fault: lastFault } : null,
    requests_left:
      isUsed && requestsPerMinute !== null
        ? (state?.requestsLeft ?? Math.floor(budgetCapacity(requestsPerMinute)))
        : null,
  };
}
