import { type RawBuilder, sql } from 'kysely';
import type { Clock, Executor, Transaction } from '../../platform/index.ts';
import { type Claim, ClaimLostError } from './claim.ts';

/** What a run came to know. */
export interface RunNotes {
  /** Symbols whose close has not come. */
  readonly missing: readonly string[];
  /** Who served bars. */
  readonly providers: readonly string[];
}

/** Gives a run back until its closes have come. */
export function waitForCloses(executor: Executor, clock: Clock, claim: Claim, notes: RunNotes): Promise<void> {
  return end(executor, claim, notes, sql`state = 'waiting', checked_at = ${clock.now()}`);
}

/** No close came before the next session had its own. */
export function missRun(executor: Executor, clock: Clock, claim: Claim, notes: RunNotes): Promise<void> {
  return end(executor, claim, notes, sql`state = 'missed', checked_at = ${clock.now()}`);
}

/** Only of a run whose metrics and matches are stored. */
export function completeRun(tx: Transaction, clock: Clock, claim: Claim, notes: RunNotes): Promise<void> {
  const symbols = sql`(SELECT count(*) FROM daily_metrics WHERE session = ${claim.session}::date)`;
  const now = clock.now();
  return end(
    tx,
    claim,
    notes,
    sql`state = 'completed', completed_at = ${now}, checked_at = ${now}, symbols = ${symbols}`,
  );
}

async function end(
  executor: Executor,
  claim: Claim,
  { missing, providers }: RunNotes,
  changes: RawBuilder<unknown>,
): Promise<void> {
  // Those who served in an earlier attempt have served, too.
  const everyProvider = sql`ARRAY(SELECT DISTINCT unnest(providers || ${[...providers]}::text[]) AS name ORDER BY name)`;
  const { rows } = await sql`
    UPDATE screener_run
    SET ${changes}, claim = NULL, claimed_until = NULL, missing = ${[...missing]}::text[], providers = ${everyProvider}
    WHERE session = ${claim.session}::date AND claim = ${claim.id} RETURNING session
  `.execute(executor.query());
  if (rows.length === 0) throw new ClaimLostError(claim);
}
