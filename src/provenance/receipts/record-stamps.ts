import { sql } from 'kysely';
import { count, recordOutboxEvents, type Transaction } from '../../platform/index.ts';

/** A stamp that a chain or vBase's service has confirmed. */
export interface Stamp {
  readonly contentCid: string;
  readonly setCid: string;
  readonly transactionHash: string;
  /** The committing address. */
  readonly userAddress: string | null;
  /** Only as vBase's recovery returns it. */
  readonly userLabel?: string | null | undefined;
  readonly chainId: number;
  /** The time of the block. */
  readonly timestamp: Date;
}

/**
 * Stores the receipts of proofs with one event each. A proof that is stamped already keeps its receipt and gets no
 * second event.
 *
 * @returns the number of proofs that became stamped
 */
export async function recordStamps(tx: Transaction, stamps: readonly Stamp[], now: Date): Promise<number> {
  if (stamps.length === 0) return 0;
  const { rows } = await sql<{ subject: string }>`
    UPDATE proof SET status = 'stamped', error_code = NULL, retry_at = NULL, sent_at = NULL,
      claimed_at = coalesce(claimed_at, ${now}), set_cid = given.set_cid, transaction_hash = given.transaction_hash,
      user_address = given.user_address, user_label = given.user_label, chain_id = given.chain_id,
      stamped_at = given.stamped_at
    FROM json_to_recordset(${JSON.stringify(stamps.map(toRow))}::json) AS given(content_cid text, set_cid text,
      transaction_hash text, user_address text, user_label text, chain_id bigint, stamped_at timestamptz)
    WHERE proof.content_cid = given.content_cid AND proof.status <> 'stamped'
    RETURNING subject`.execute(tx.query());
  await recordOutboxEvents(tx, 'receipt.stamped', rows, now);
  for (const _ of rows) count('proofs_stamped_total', {});
  return rows.length;
}

function toRow(stamp: Stamp) {
  return {
    content_cid: stamp.contentCid,
    set_cid: stamp.setCid,
    transaction_hash: stamp.transactionHash,
    user_address: stamp.userAddress,
    user_label: stamp.userLabel ?? null,
    chain_id: stamp.chainId,
    stamped_at: stamp.timestamp.toISOString(),
  };
}
