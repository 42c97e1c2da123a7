import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { MINUTE_MS } from '../../calendar/index.ts';
import type { Clock, Database, Executor, Transaction } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';

/**
 * The right to run a session. It expires unless it is renewed, so that another worker can take over if a worker is
 * killed.
 */
export interface Claim {
  readonly session: SessionDate;
  readonly id: string;
}

/** Another worker has taken over the run, so the work of this worker is discarded. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';

  constructor({ session }: Claim) {
    super(`Another worker took over the run of ${session}.`);
  }
}

const LEASE_SECONDS = 300;
const RENEW_MS = MINUTE_MS;

/** The end of the lease according to the clock of the database, so that the clocks of the workers need not agree. */
const leaseEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}::float8)`;

/**
 * Claims a session that is not finished and that no worker is running. Returns null if the session cannot be claimed.
 *
 * @param includeMissed whether a missed session can be claimed
 */
export async function claimRun(
  executor: Executor,
  clock: Clock,
  session: SessionDate,
  { includeMissed = false }: { readonly includeMissed?: boolean } = {},
): Promise<Claim | null> {
  const id = randomUUID();
  const { rows } = await sql`
    INSERT INTO screener_run AS r (session, state, claim, claimed_until, checked_at, missing, providers)
    VALUES (${session}::date, 'running', ${id}, ${leaseEnd}, ${clock.now()}, '{}', '{}')
    ON CONFLICT (session) DO UPDATE
      SET state = 'running', claim = ${id}, claimed_until = ${leaseEnd}, checked_at = ${clock.now()}
      WHERE r.state = 'waiting' OR (r.state = 'missed' AND ${includeMissed}::boolean)
        OR (r.state = 'running' AND r.claimed_until < clock_timestamp())
    RETURNING session
  `.execute(executor.query());
  return rows.length === 1 ? { session, id } : null;
}

/** Renews a claim. Throws `ClaimLostError` if the claim is no longer held. */
export async function renewClaim(executor: Executor, claim: Claim): Promise<void> {
  const { rows } = await sql`
    UPDATE screener_run SET claimed_until = ${leaseEnd}
    WHERE session = ${claim.session}::date AND claim = ${claim.id} RETURNING session
  `.execute(executor.query());
  if (rows.length === 0) throw new ClaimLostError(claim);
}

/**
 * Releases a claim, so that other workers can claim the run immediately. Does nothing if the claim is no longer held.
 */
async function releaseClaim(executor: Executor, claim: Claim): Promise<void> {
  await sql`
    UPDATE screener_run SET state = 'waiting', claim = NULL, claimed_until = NULL
    WHERE session = ${claim.session}::date AND claim = ${claim.id}
  `.execute(executor.query());
}

/**
 * Prevents other workers from claiming the run until the transaction ends. Throws `ClaimLostError` if another worker
 * has claimed it.
 */
export async function lockClaim(tx: Transaction, claim: Claim): Promise<void> {
  const { rows } = await sql`
    SELECT session FROM screener_run WHERE session = ${claim.session}::date AND claim = ${claim.id} FOR SHARE
  `.execute(tx.query());
  if (rows.length === 0) throw new ClaimLostError(claim);
}

/**
 * Runs `work` and renews the claim meanwhile. Releases the claim if the work fails. The signal passed to `work` aborts
 * when the claim is lost or when `signal` aborts.
 */
export async function withRenewedClaim<Result>(
  database: Database,
  claim: Claim,
  signal: AbortSignal | undefined,
  work: (held: AbortSignal) => Promise<Result>,
  renewMs = RENEW_MS,
): Promise<Result> {
  const lost = new AbortController();
  const held = signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]);
  const timer = setInterval(() => {
    renewClaim(database, claim).catch((error) => lost.abort(error));
  }, renewMs);
  try {
    return await work(held);
  } catch (error) {
    // If the release fails, the claim blocks the run until it expires, which is acceptable.
    await releaseClaim(database, claim).catch(() => {});
    throw error;
  } finally {
    clearInterval(timer);
  }
}
