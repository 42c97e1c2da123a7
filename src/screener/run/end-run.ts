import { type RawBuilder, sql } from 'kysely';
import { type Clock, type Executor, recordOutboxEvents, type Transaction } from '../../platform/index.ts';
import { type Claim, ClaimLostError } from './claim.ts';

/** The result of reading the closes of a run. */
export interface RunReport {
  /** Symbols whose close has not arrived. */
  readonly missing: readonly string[];
  /** The providers that served bars. */
  readonly providers: readonly string[];
}

/** Returns a run to the state `waiting`, because closes are missing. */
export function postponeRun(executor: Executor, clock: Clock, claim: Claim, report: RunReport): Promise<void> {
  return endClaim(executor, claim, report, sql`state = 'waiting', checked_at = ${clock.now()}`);
}

/** Ends a run as missed, because no close had arrived before the next session closed. */
export function markRunMissed(executor: Executor, clock: Clock, claim: Claim, report: RunReport): Promise<void> {
  return endClaim(executor, claim, report, sql`state = 'missed', checked_at = ${clock.now()}`);
}

/** Completes a run whose metrics and matches are stored, and records an event for each filter with matches. */
export async function completeRun(tx: Transaction, clock: Clock, claim: Claim, report: RunReport): Promise<void> {
  const symbols = sql`(SELECT count(*) FROM daily_metrics WHERE session = ${claim.session}::date)`;
  const now = clock.now();
  await endClaim(
    tx,
    claim,
    report,
    sql`state = 'completed', completed_at = ${now}, checked_at = ${now}, symbols = ${symbols}`,
  );
  const { rows } = await sql<{ subject: string }>`
    SELECT filter_id AS subject FROM screener_result
    WHERE session = ${claim.session}::date AND cardinality(symbols) > 0`.execute(tx.query());
  const details = { session: claim.session };
  await recordOutboxEvents(
    tx,
    'screener.matched',
    rows.map(({ subject }) => ({ subject, details })),
    now,
  );
}

async function endClaim(
  executor: Executor,
  claim: Claim,
  { missing, providers }: RunReport,
  changes: RawBuilder<unknown>,
): Promise<void> {
  // Includes the providers of earlier attempts.
  const allProviders = sql`ARRAY(SELECT DISTINCT unnest(providers || ${[...providers]}::text[]) AS name ORDER BY name)`;
  const { rows } = await sql`
    UPDATE screener_run
    SET ${changes}, claim = NULL, claimed_until = NULL, missing = ${[...missing]}::text[], providers = ${allProviders}
    WHERE session = ${claim.session}::date AND claim = ${claim.id} RETURNING session
  `.execute(executor.query());
  if (rows.length === 0) throw new ClaimLostError(claim);
}
