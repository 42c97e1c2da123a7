import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { MINUTE_MS } from '../../calendar/index.ts';
import type { Clock, Database, Executor, Transaction } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';

/** The right to run a session. It expires unless it is renewed, so that another worker takes over from a killed one. */
export interface Claim {
  readonly session: SessionDate;
  readonly id: string;
}

/** Another worker has taken over the run, and the work of this one is discarded. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';

  constructor({ session }: Claim) {
    super(`Another worker took over the run of ${session}.`);
  }
}

const LEASE_SECONDS = 300;
const RENEW_MS = MINUTE_MS;

/** Uses the clock of the database, so that the clocks of the workers need not agree. */
const leaseEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}::float8)`;

/**
 * Claims a session that is not finished and that no worker runs. Returns null when it cannot be claimed.
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

/** Throws `ClaimLostError` when the claim is no longer held. */
export async function renewClaim(executor: Executor, claim: Claim): Promise<void> {
  const { rows } = await sql`
    UPDATE screener_run SET claimed_until = ${leaseEnd}
    WHERE session = ${claim.session}::date AND claim = ${claim.id} RETURNING session
  `.execute(executor.query());
  if (rows.length === 0) throw new ClaimLostError(claim);
}

/** Lets other workers claim the run immediately. Does nothing when the claim is no longer held. */
async function releaseClaim(executor: Executor, claim: Claim): Promise<void> {
  await sql`
    UPDATE screener_run SET state = 'waiting', claim = NULL, claimed_until = NULL
    WHERE session = ${claim.session}::date AND claim = ${claim.id}
  `.execute(executor.query());
}

/** Prevents other workers from claiming the run until the transaction ends. Throws `ClaimLostError` if one has. */
export async function lockClaim(tx: Transaction, claim: Claim): Promise<void> {
  const { rows } = await sql`
    SELECT session FROM screener_run WHERE session = ${claim.session}::date AND claim = ${claim.id} FOR SHARE
  `.execute(tx.query());
  if (rows.length === 0) throw new ClaimLostError(claim);
}

/**
 * Runs `work` and renews the claim meanwhile. Releases the claim when the work fails. The signal that the work receives
 * aborts when the claim is lost or `signal` aborts.
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
    // Without a release the claim would block the run until it expires, which is acceptable when the release fails.
    await releaseClaim(database, claim).catch(() => {});
    throw error;
  } finally {
    clearInterval(timer);
  }
}
