import type { ColumnType, Generated } from 'kysely';

export const PROOF_KINDS = ['forecast', 'event_revision'] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** Why a proof is not stamped yet. */
export type WaitCode = 'STAMPER_UNREACHABLE' | 'STAMPER_REJECTED' | 'OUT_OF_FUNDS' | 'DAILY_LIMIT';

/** A proof that was handed over to be stamped. Rows are never removed. */
export interface ProofTable {
  content_cid: string;
  kind: ProofKind;
  /** The id of the forecast or of the revision that the proof is about. */
  subject: string;
  /** `stamping`: sent, but not confirmed. */
  status: ColumnType<'pending' | 'stamping' | 'stamped', 'pending' | undefined, 'pending' | 'stamping' | 'stamped'>;
  /** Set only while the proof is pending. */
  error_code: WaitCode | null;
  created_at: Date;
  /** When the proof was first taken to be stamped, and so the day for which it counts. */
  claimed_at: Date | null;
  /** When the first request was begun after which there may be a stamp. Used by vBase's service only. */
  sent_at: Date | null;
  /** The number of requests for this proof that were refused. */
  attempts: Generated<number>;
  /** The proof is not taken before this time: a round has claimed it until then, or it waits to be tried again. */
  retry_at: Date | null;
  /** The transaction that stamps the proof. Used on chains only. */
  transaction_id: string | null;
  /** The place among the objects of the transaction. */
  place: number | null;
  transaction_hash: string | null;
  set_cid: string | null;
  user_address: string | null;
  user_label: string | null;
  chain_id: number | null;
  /** The time of the block. */
  stamped_at: Date | null;
}

/**
 * A nonce of the sender and what it is used for. It is written before anything is sent, so a nonce is never used for
 * two different batches.
 */
export interface StampTransactionTable {
  id: string;
  chain_id: number;
  contract: string;
  sender: string;
  nonce: number;
  /** `set`: adds the collection; `objects`: adds the proofs that refer to it. */
  kind: 'set' | 'objects';
  set_cid: string;
  /** The call of the contract; empty once the transaction is final. */
  data: string;
  gas: number;
  /**
   * `open`: no block contains it. `mined`: a block contains it. `stamped`: confirmed, and watched for some blocks more.
   * `final`: no longer watched. `failed`: a block contains it, but the contract refused it. `replaced`: a transaction of another program has
   * taken the nonce, or the chain has lost it.
   */
  state: 'open' | 'mined' | 'stamped' | 'final' | 'failed' | 'replaced';
  /** The latest block when the row was written. No earlier block can contain the transaction. */
  from_block: number;
  block_number: number | null;
  block_hash: string | null;
  block_time: Date | null;
  /** The hash of the attempt that is in the block. */
  transaction_hash: string | null;
  created_at: Date;
}

/** A signed form of a transaction. All attempts of a transaction differ only in their fees. */
export interface StampAttemptTable {
  hash: string;
  transaction_id: string;
  /** The signed bytes; null once the transaction is final. */
  raw: string | null;
  /** In wei, as a decimal number. Too large for a number of JavaScript. */
  max_fee: string;
  priority_fee: string;
  created_at: Date;
}

export interface ProvenanceTables {
  proof: ProofTable;
  stamp_transaction: StampTransactionTable;
  stamp_attempt: StampAttemptTable;
}
