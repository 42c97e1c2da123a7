import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock, Executor, Transaction } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';

/** The right to work on a session's run. It ends unless it is renewed, so that a killed worker's run is taken again. */
export interface Claim {
  readonly session: SessionDate;
  readonly id: string;
}

/** Somebody else has the run by now: what this worker found belongs to nobody. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';

  constructor({ session }: Claim) {
    super(`The run of ${session} was taken over.`);
  }
}

const LEASE_SECONDS = 300;
export const RENEW_MS = 60_000;

/** By the database's clock, so that those of the processes need not agree. */
const leaseEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}::float8)`;

/**
 * Takes a session that nobody works on and that is not done; null: there is nothing to take.
 *
 * @param evenMissed whether one that was given up counts as not done
 */
export async function claimRun(
  executor: Executor,
  clock: Clock,
  session: SessionDate,
  { evenMissed = false }: { readonly evenMissed?: boolean } = {},
): Promise<Claim | null> {
  const id = randomUUID();
  const { rows } = await sql`
    INSERT INTO screener_run AS r (session, state, claim, claimed_until, checked_at, missing, providers)
    VALUES (${session}::date, 'running', ${id}, ${leaseEnd}, ${clock.now()}, '{}', '{}')
    ON CONFLICT (session) DO UPDATE
      SET state = 'running', claim = ${id}, claimed_until = ${leaseEnd}, checked_at = ${clock.now()}
      WHERE r.state = 'waiting' OR (r.state = 'missed' AND ${evenMissed}::boolean)
        OR (r.state = 'running' AND r.claimed_until < clock_timestamp())
    RETURNING session
  `.execute(executor.query());
  return rows.length === 1 ? { session, id } : null;
}

/** Throws `ClaimLostError` when it is not held any more. */
export async function renewClaim(executor: Executor, claim: Claim): Promise<void> {
  const { rows } = await sql`
    UPDATE screener_run SET claimed_until = ${leaseEnd}
    WHERE session = ${claim.session}::date AND claim = ${claim.id} RETURNING session
  `.execute(executor.query());
  if (rows.length === 0) throw new ClaimLostError(claim);
}

/** Lets others take the run at once. Does nothing when it is not held any more. */
export async function giveBack(executor: Executor, claim: Claim): Promise<void> {
  await sql`
    UPDATE screener_run SET state = 'waiting', claim = NULL, claimed_until = NULL
    WHERE session = ${claim.session}::date AND claim = ${claim.id}
  `.execute(executor.query());
}

/** Keeps others from taking the run until the transaction ends. Throws `ClaimLostError` when somebody has. */
export async function holdClaim(tx: Transaction, claim: Claim): Promise<void> {
  const { rows } = await sql`
    SELECT session FROM screener_run WHERE session = ${claim.session}::date AND claim = ${claim.id} FOR SHARE
  `.execute(tx.query());
  if (rows.length === 0) throw new ClaimLostError(claim);
}
