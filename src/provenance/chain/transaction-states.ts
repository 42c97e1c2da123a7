import { sql } from 'kysely';
import type { Database, Transaction } from '../../platform/index.ts';
import { recordStamps } from '../receipts/record-stamps.ts';
import type { ProvenanceTables } from '../receipts/tables.ts';
import type { Block } from './node-replies.ts';
import { readProofsOf, type TransactionRow } from './transaction-rows.ts';

// Every change has an effect only if the row is still in the state and in the block that the caller saw, because two
// processes can watch the same transaction.

/** Where a transaction is on the chain. */
export interface Inclusion {
  readonly transactionHash: string;
  readonly block: Block;
}

/** Notes that a block contains the transaction, either with effect or refused by the contract. */
export function markIncluded(
  database: Database,
  { id }: TransactionRow,
  state: 'mined' | 'failed',
  { transactionHash, block }: Inclusion,
): Promise<TransactionRow | null> {
  return database.transaction(async (tx) => {
    const row = await tx
      .query<ProvenanceTables>()
      .updateTable('stamp_transaction')
      .set({
        state,
        block_number: block.number,
        block_hash: block.hash,
        block_time: block.time,
        transaction_hash: transactionHash,
      })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return null;
    await setProofs(tx, id, state === 'mined' ? 'stamping' : 'pending');
    return row;
  });
}

/** Returns whether a transaction is still open. */
export async function isOpen(database: Database, id: string): Promise<boolean> {
  const row = await database
    .query<ProvenanceTables>()
    .selectFrom('stamp_transaction')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.state === 'open';
}

/** Notes that the node has the transaction. Its proofs are then sent, but not confirmed. */
export async function markSent(database: Database, { id }: Pick<TransactionRow, 'id'>): Promise<void> {
  await sql`
    UPDATE proof SET status = 'stamping', error_code = NULL
    WHERE transaction_id = ${id} AND status = 'pending'
      AND EXISTS (SELECT FROM stamp_transaction WHERE id = ${id} AND state IN ('open', 'mined'))`.execute(
    database.query(),
  );
}

/**
 * Stores the receipts of a confirmed transaction.
 *
 * @returns the number of proofs that became stamped
 */
export function markStamped(database: Database, transaction: TransactionRow, now: Date): Promise<number> {
  return database.transaction(async (tx) => {
    const row = await changeState(tx, transaction, 'mined', 'stamped');
    if (row?.transaction_hash == null || row.block_time === null) return 0;
    const {
      set_cid: setCid,
      transaction_hash: transactionHash,
      sender,
      chain_id: chainId,
      block_time: timestamp,
    } = row;
    const proofs = await tx
      .query<ProvenanceTables>()
      .selectFrom('proof')
      .select('content_cid')
      .where('transaction_id', '=', row.id)
      .execute();
    const stamps = proofs.map(({ content_cid: contentCid }) => {
      return { contentCid, setCid, transactionHash, userAddress: sender, chainId, timestamp };
    });
    return recordStamps(tx, stamps, now);
  });
}

/** Ends the watch of a stamped transaction, whose signed bytes are no longer needed. */
export async function markFinal(database: Database, transaction: TransactionRow): Promise<void> {
  await database.transaction(async (tx) => {
    if ((await changeState(tx, transaction, 'stamped', 'final')) !== null) await dropBytes(tx, transaction.id);
  });
}

/** What the receipt of a transaction shows that seemed to be refused. */
export interface FailedOutcome {
  /** The proofs that it has not committed. */
  readonly uncommitted: readonly string[];
  /** Whether the contract has accepted it. */
  readonly isEffective: boolean;
}

/**
 * Has the proofs that a transaction did not commit stamped by another one later. If it has committed others, it counts as
 * mined; otherwise its watch ends.
 */
export async function releaseFailed(
  database: Database,
  transaction: TransactionRow,
  { uncommitted, isEffective }: FailedOutcome,
  now: Date,
): Promise<void> {
  await database.transaction(async (tx) => {
    if ((await changeState(tx, transaction, 'failed', 'final')) === null) return;
    // After 1, 2, 4, … minutes, at most a day.
    await sql`
      UPDATE proof SET transaction_id = NULL, place = NULL, status = 'pending', error_code = 'STAMPER_REJECTED',
        attempts = attempts + 1,
        retry_at = ${now}::timestamptz + least(interval '1 day', interval '1 minute' * 2 ^ least(attempts, 20))
      WHERE transaction_id = ${transaction.id} AND status <> 'stamped'
        AND content_cid IN (SELECT json_array_elements_text(${JSON.stringify(uncommitted)}::json))`.execute(tx.query());
    const isMined = isEffective && (await readProofsOf(tx, transaction.id)).length > 0;
    if (!isMined) return dropBytes(tx, transaction.id);
    await changeState(tx, transaction, 'final', 'mined');
    await setProofs(tx, transaction.id, 'stamping');
  });
}

/**
 * Notes that no block contains the transaction any longer. Its proofs lose their receipts and are pending until it is sent
 * again.
 *
 * @returns the row as it is now; null if another process has changed it
 */
export function reopen(database: Database, { id, block_hash }: TransactionRow): Promise<TransactionRow | null> {
  return database.transaction(async (tx) => {
    const row = await tx
      .query<ProvenanceTables>()
      .updateTable('stamp_transaction')
      .set({ state: 'open', block_number: null, block_hash: null, block_time: null, transaction_hash: null })
      .where('id', '=', id)
      .where('state', 'in', ['mined', 'stamped', 'failed'])
      .where('block_hash', '=', block_hash)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return null;
    await sql`
      UPDATE proof SET status = 'pending', error_code = NULL, transaction_hash = NULL, set_cid = NULL,
        user_address = NULL, user_label = NULL, chain_id = NULL, stamped_at = NULL
      WHERE transaction_id = ${id}`.execute(tx.query());
    return row;
  });
}

async function changeState(
  tx: Transaction,
  { id, block_hash }: TransactionRow,
  from: TransactionRow['state'],
  to: TransactionRow['state'],
): Promise<TransactionRow | null> {
  const row = await tx
    .query<ProvenanceTables>()
    .updateTable('stamp_transaction')
    .set({ state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .where('block_hash', '=', block_hash)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

async function setProofs(tx: Transaction, transactionId: string, status: 'stamping' | 'pending'): Promise<void> {
  await tx
    .query<ProvenanceTables>()
    .updateTable('proof')
    .set({ status, error_code: status === 'pending' ? 'STAMPER_REJECTED' : null })
    .where('transaction_id', '=', transactionId)
    .where('status', '<>', 'stamped')
    .execute();
}

async function dropBytes(tx: Transaction, transactionId: string): Promise<void> {
  const query = tx.query<ProvenanceTables>();
  await query.updateTable('stamp_attempt').set({ raw: null }).where('transaction_id', '=', transactionId).execute();
  await query.updateTable('stamp_transaction').set({ data: '' }).where('id', '=', transactionId).execute();
}
