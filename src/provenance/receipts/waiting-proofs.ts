import { sql } from 'kysely';
import { DAY_MS } from '../../calendar/index.ts';
import type { Executor, Transaction } from '../../platform/index.ts';
import type { ProvenanceTables, WaitCode } from './tables.ts';

export interface TakeOptions {
  /** Maximum number of proofs to take. */
  readonly limit: number;
  /** Maximum number of proofs that are taken for the first time in a UTC day. */
  readonly perDay: number;
  readonly now: Date;
}

export interface TakenProof {
  readonly content_cid: string;
  readonly subject: string;
  /** When a request was begun whose outcome is not known; null if there is none. */
  readonly sent_at: Date | null;
}

/**
 * Takes proofs that wait to be stamped, oldest first, and locks them until the transaction ends. Proofs that were taken
 * before do not count for the day again. If the day has none left, the others wait with DAILY_LIMIT.
 */
export async function takeWaitingProofs(tx: Transaction, { limit, perDay, now }: TakeOptions): Promise<TakenProof[]> {
  await lockWaitingProofs(tx);
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const { claimed } = await tx
    .query<ProvenanceTables>()
    .selectFrom('proof')
    .select(({ fn }) => fn.countAll<number>().as('claimed'))
    .where('claimed_at', '>=', today)
    .executeTakeFirstOrThrow();
  const left = Math.max(0, perDay - claimed);
  const isWaiting = sql`status <> 'stamped' AND transaction_id IS NULL AND coalesce(retry_at, ${now}) <= ${now}`;
  // Each part reads its rows from an index in their order, because a million proofs can wait.
  const { rows } = await sql<TakenProof>`
    WITH waiting AS (
      (SELECT content_cid, created_at FROM proof WHERE ${isWaiting} AND claimed_at IS NOT NULL
        ORDER BY created_at, content_cid LIMIT ${limit})
      UNION ALL
      (SELECT content_cid, created_at FROM proof WHERE ${isWaiting} AND claimed_at IS NULL
        ORDER BY created_at, content_cid LIMIT ${Math.min(left, limit)})
    )
    UPDATE proof SET claimed_at = coalesce(claimed_at, ${now}), error_code = NULL
    WHERE content_cid IN (SELECT content_cid FROM waiting ORDER BY created_at, content_cid LIMIT ${limit})
    RETURNING content_cid, subject, sent_at`.execute(tx.query());
  // Proofs that are handed over at this moment are not beyond the limit while the day has some left.
  if (left < limit && rows.length < limit) await markWaiting(tx, 'DAILY_LIMIT', { onlyUnclaimed: true });
  return rows.sort((a, b) => (a.content_cid < b.content_cid ? -1 : 1));
}

/**
 * Lets one transaction at a time take waiting proofs or bind them. Two could otherwise both take the last proofs of the
 * day, or wait for each other's rows.
 */
export async function lockWaitingProofs(tx: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('proofs to be stamped', 0))`.execute(tx.query());
}

/**
 * Notes why the pending proofs wait.
 *
 * @param onlyUnclaimed leaves out proofs that were taken before, which the daily limit does not stop
 */
export async function markWaiting(
  executor: Executor,
  code: WaitCode,
  { onlyUnclaimed = false }: { readonly onlyUnclaimed?: boolean } = {},
): Promise<void> {
  await executor
    .query<ProvenanceTables>()
    .updateTable('proof')
    .set({ error_code: code })
    .where('status', '=', 'pending')
    .where('error_code', 'is distinct from', code)
    .$if(onlyUnclaimed, (all) => all.where('claimed_at', 'is', null))
    .execute();
}

/** Returns whether proofs wait because the day has none left. */
export async function hasReachedDailyLimit(executor: Executor): Promise<boolean> {
  const row = await executor
    .query<ProvenanceTables>()
    .selectFrom('proof')
    .select('content_cid')
    .where('status', '=', 'pending')
    .where('error_code', '=', 'DAILY_LIMIT')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Frees the proofs whose transactions were begun on a chain that is no longer configured, and are therefore no longer
 * watched.
 *
 * @param chainId the configured chain; null if proofs are not stamped on a chain of the service's own
 */
export async function releaseOtherChains(executor: Executor, chainId: number | null): Promise<void> {
  await sql`
    UPDATE proof SET transaction_id = NULL, place = NULL, status = 'pending', error_code = NULL
    WHERE status <> 'stamped' AND transaction_id IN (
      SELECT id FROM stamp_transaction
      WHERE chain_id IS DISTINCT FROM ${chainId}::bigint AND state IN ('open', 'mined', 'failed')
    )`.execute(executor.query());
}
