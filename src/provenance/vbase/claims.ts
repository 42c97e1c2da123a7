import { sql } from 'kysely';
import type { Database, Executor } from '../../platform/index.ts';
import type { ProvenanceTables } from '../receipts/tables.ts';
import { takeWaitingProofs } from '../receipts/waiting-proofs.ts';

// A round claims proofs until a time, which it writes to `retry_at`. No other round takes a proof before that time, and
// every statement below changes only proofs whose claim is still the one of the round.

export interface ClaimedProof {
  readonly contentCid: string;
  /** When the first request was begun whose outcome is not known; null if there is none. */
  readonly sentAt: Date | null;
  /** The number of requests that were refused. */
  readonly attempts: number;
}

export interface ClaimOptions {
  readonly limit: number;
  readonly perDay: number;
  readonly now: Date;
  readonly until: Date;
  /** Whether proofs are claimed that were never taken before. */
  readonly takesNew: boolean;
}

/** Claims proofs that are to be stamped. */
export function claimProofs(
  database: Database,
  { limit, perDay, now, until, takesNew }: ClaimOptions,
): Promise<ClaimedProof[]> {
  return database.transaction(async (tx) => {
    const taken = takesNew
      ? (await takeWaitingProofs(tx, { limit, perDay, now })).map(({ content_cid }) => content_cid)
      : await findBegun(tx, limit, now);
    if (taken.length === 0) return [];
    // Another round may have claimed some of them since they were read.
    const { rows } = await sql<ClaimedProof>`
      UPDATE proof SET retry_at = ${until}
      WHERE content_cid IN (${sql.join(taken)}) AND status <> 'stamped' AND coalesce(retry_at, ${now}) <= ${now}
      RETURNING content_cid AS "contentCid", sent_at AS "sentAt", attempts`.execute(tx.query());
    return rows;
  });
}

async function findBegun(executor: Executor, limit: number, now: Date): Promise<string[]> {
  const rows = await executor
    .query<ProvenanceTables>()
    .selectFrom('proof')
    .select('content_cid')
    .where('status', '<>', 'stamped')
    .where('transaction_id', 'is', null)
    .where('claimed_at', 'is not', null)
    .where(({ eb, or }) => or([eb('retry_at', 'is', null), eb('retry_at', '<=', now)]))
    .orderBy('created_at')
    .orderBy('content_cid')
    .limit(limit)
    .execute();
  return rows.map(({ content_cid }) => content_cid);
}

/**
 * Notes that requests are about to be sent, and extends the claims.
 *
 * @returns the content ids whose claim was still valid; only these may be sent
 */
export async function markSent(
  executor: Executor,
  contentCids: readonly string[],
  { claim, until, now }: { readonly claim: Date; readonly until: Date; readonly now: Date },
): Promise<Set<string>> {
  const { rows } = await sql<{ content_cid: string }>`
    UPDATE proof SET status = 'stamping', error_code = NULL, sent_at = coalesce(sent_at, ${now}), retry_at = ${until}
    WHERE ${isHeld(contentCids, claim)}
    RETURNING content_cid`.execute(executor.query());
  return new Set(rows.map(({ content_cid }) => content_cid));
}

/** Notes that the outcome of requests is not known. The service is asked for their stamps at `retryAt`. */
export async function markUnclear(
  executor: Executor,
  contentCids: readonly string[],
  { claim, retryAt }: { readonly claim: Date; readonly retryAt: Date },
): Promise<void> {
  if (contentCids.length === 0) return;
  await sql`UPDATE proof SET retry_at = ${retryAt} WHERE ${isHeld(contentCids, claim)}`.execute(executor.query());
}

/**
 * Notes that the service refused the request for a proof, or that its receipt is not valid. `sent_at` stays, because a
 * refusal may mean that there is a stamp already.
 */
export async function markRefused(
  executor: Executor,
  contentCid: string,
  { claim, now, retryAt }: { readonly claim: Date; readonly now: Date; readonly retryAt: Date },
): Promise<void> {
  await sql`
    UPDATE proof SET status = 'pending', error_code = 'STAMPER_REJECTED', attempts = attempts + 1,
      sent_at = coalesce(sent_at, ${now}), retry_at = ${retryAt}
    WHERE ${isHeld([contentCid], claim)}`.execute(executor.query());
}

/**
 * Ends the claims of proofs for which nothing was accepted.
 *
 * @param sentAt when the requests were marked as sent that the service did not accept
 */
export async function releaseProofs(
  executor: Executor,
  contentCids: readonly string[],
  { claim, sentAt = null }: { readonly claim: Date; readonly sentAt?: Date | null },
): Promise<void> {
  if (contentCids.length === 0) return;
  const back = sentAt === null ? sql`` : sql`, status = 'pending', sent_at = nullif(sent_at, ${sentAt})`;
  await sql`UPDATE proof SET retry_at = NULL ${back} WHERE ${isHeld(contentCids, claim)}`.execute(executor.query());
}

function isHeld(contentCids: readonly string[], claim: Date) {
  return sql`content_cid IN (${sql.join([...contentCids])}) AND status <> 'stamped' AND retry_at = ${claim}`;
}
