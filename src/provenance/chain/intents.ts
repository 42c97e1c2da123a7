import { sql } from 'kysely';
import { type Database, newId, type Transaction } from '../../platform/index.ts';
import type { ProvenanceTables } from '../receipts/tables.ts';
import { lockWaitingProofs } from '../receipts/waiting-proofs.ts';
import type { SignedAttempt } from './sign-attempt.ts';
import type { TransactionRow, WatchedTransaction } from './transaction-rows.ts';

/** What a nonce is to be used for. */
export interface Intent {
  readonly chainId: number;
  readonly contract: string;
  readonly sender: string;
  readonly nonce: number;
  readonly setCid: string;
  readonly data: string;
  readonly gas: number;
  /** The latest block. */
  readonly fromBlock: number;
  /** The proofs that the transaction stamps; null for the one that adds the set. */
  readonly contentCids: readonly string[] | null;
}

/**
 * Stores an intent with its first attempt, before anything is sent. From then on, the nonce belongs to these proofs.
 *
 * @returns null if another process has used the nonce or taken one of the proofs
 */
export async function writeIntent(
  database: Database,
  intent: Intent,
  attempt: SignedAttempt,
  now: Date,
): Promise<TransactionRow | null> {
  try {
    return await database.transaction(async (tx) => {
      await lockWaitingProofs(tx);
      const row = await insertIntent(tx, intent, now);
      await insertAttempt(tx, row.id, attempt, now);
      const { contentCids } = intent;
      if (contentCids !== null && (await bindProofs(tx, row.id, contentCids)) < contentCids.length) throw new Taken();
      return row;
    });
  } catch (error) {
    if (error instanceof Taken) return null;
    throw error;
  }
}

/**
 * Stores an attempt with higher fees, before it is sent.
 *
 * @returns false if the transaction is no longer open or another process has stored an attempt meanwhile
 */
export function writeAttempt(
  database: Database,
  transaction: WatchedTransaction,
  attempt: SignedAttempt,
  now: Date,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await lockUnchanged(tx, transaction))) return false;
    await insertAttempt(tx, transaction.id, attempt, now);
    return true;
  });
}

/** Locks an open transaction. Returns false if it is not open or has other attempts than the caller has seen. */
export async function lockUnchanged(tx: Transaction, { id, attempts }: WatchedTransaction): Promise<boolean> {
  const query = tx.query<ProvenanceTables>();
  const row = await query
    .selectFrom('stamp_transaction')
    .select('state')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row?.state !== 'open') return false;
  // In a statement of its own, because it has to see what was stored while the lock was awaited.
  const stored = await query.selectFrom('stamp_attempt').select('hash').where('transaction_id', '=', id).execute();
  return stored.length === attempts.length;
}

/** Binds proofs to a transaction, each with its place. Returns the number of proofs that were free. */
export async function bindProofs(
  tx: Transaction,
  transactionId: string,
  contentCids: readonly string[],
): Promise<number> {
  const places = JSON.stringify(contentCids.map((content_cid, place) => ({ content_cid, place })));
  const { rows } = await sql`
    UPDATE proof SET transaction_id = ${transactionId}, place = given.place
    FROM json_to_recordset(${places}::json) AS given(content_cid text, place integer)
    WHERE proof.content_cid = given.content_cid AND proof.transaction_id IS NULL AND proof.status <> 'stamped'
    RETURNING proof.content_cid`.execute(tx.query());
  return rows.length;
}

class Taken extends Error {}

async function insertIntent(tx: Transaction, intent: Intent, now: Date): Promise<TransactionRow> {
  const row = await tx
    .query<ProvenanceTables>()
    .insertInto('stamp_transaction')
    .values({
      id: newId('stx', now.getTime()),
      chain_id: intent.chainId,
      contract: intent.contract,
      sender: intent.sender,
      nonce: intent.nonce,
      kind: intent.contentCids === null ? 'set' : 'objects',
      set_cid: intent.setCid,
      data: intent.data,
      gas: intent.gas,
      state: 'open',
      from_block: intent.fromBlock,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new Taken();
  return row;
}

/** Signatures are deterministic: an attempt of a transaction that was given up can have the same bytes, and so moves. */
async function insertAttempt(tx: Transaction, transactionId: string, attempt: SignedAttempt, now: Date): Promise<void> {
  await tx
    .query<ProvenanceTables>()
    .insertInto('stamp_attempt')
    .values({
      hash: attempt.hash,
      transaction_id: transactionId,
      raw: attempt.raw,
      max_fee: String(attempt.fees.maxFee),
      priority_fee: String(attempt.fees.priorityFee),
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ transaction_id: transactionId, raw: attempt.raw }))
    .execute();
}
