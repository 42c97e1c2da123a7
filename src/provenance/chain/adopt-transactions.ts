import { sql } from 'kysely';
import { type Database, newId, type Transaction } from '../../platform/index.ts';
import type { ProvenanceTables } from '../receipts/tables.ts';
import { lockWaitingProofs } from '../receipts/waiting-proofs.ts';
import { bindProofs, lockUnchanged } from './intents.ts';
import type { Block } from './node-replies.ts';
import type { WatchedTransaction } from './transaction-rows.ts';

/** A transaction on the chain that commits proofs which this service has not stamped. */
export interface FoundTransaction {
  readonly chainId: number;
  readonly contract: string;
  readonly sender: string;
  readonly setCid: string;
  readonly hash: string;
  readonly nonce: number;
  readonly data: string;
  readonly gas: number;
  readonly block: Block;
  readonly contentCids: readonly string[];
}

/**
 * Stores transactions that were found on the chain, so that they are watched like those that this database knows. Their
 * proofs become stamped when they are confirmed, and are not sent again.
 *
 * @returns false if nothing was stored, because another process has changed something or a nonce is in use
 */
export async function adoptTransactions(
  database: Database,
  found: readonly FoundTransaction[],
  now: Date,
): Promise<boolean> {
  return unlessConflict(() =>
    database.transaction(async (tx) => {
      await lockWaitingProofs(tx);
      for (const one of found) await adopt(tx, one, now);
    }),
  );
}

/**
 * Notes that another program has taken the nonce of a transaction. Its proofs that are on the chain stay with the
 * transactions that were found, and the others are sent again with another nonce.
 *
 * @returns false if nothing was stored, because another process has changed something or a nonce is in use
 */
export async function replaceTransaction(
  database: Database,
  replaced: WatchedTransaction,
  found: readonly FoundTransaction[],
  now: Date,
): Promise<boolean> {
  return unlessConflict(() =>
    database.transaction(async (tx) => {
      await lockWaitingProofs(tx);
      if (!(await lockUnchanged(tx, replaced))) throw new Conflict();
      await tx
        .query<ProvenanceTables>()
        .updateTable('stamp_transaction')
        .set({ state: 'replaced' })
        .where('id', '=', replaced.id)
        .execute();
      await sql`
        UPDATE proof SET transaction_id = NULL, place = NULL, status = 'pending', error_code = NULL
        WHERE transaction_id = ${replaced.id} AND status <> 'stamped'`.execute(tx.query());
      for (const one of found) await adopt(tx, one, now);
    }),
  );
}

class Conflict extends Error {}

async function unlessConflict(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

async function adopt(tx: Transaction, found: FoundTransaction, now: Date): Promise<void> {
  const id = newId('stx', now.getTime());
  const row = await tx
    .query<ProvenanceTables>()
    .insertInto('stamp_transaction')
    .values({
      id,
      chain_id: found.chainId,
      contract: found.contract,
      sender: found.sender,
      nonce: found.nonce,
      kind: 'objects',
      set_cid: found.setCid,
      data: found.data,
      gas: found.gas,
      state: 'mined',
      from_block: found.block.number,
      block_number: found.block.number,
      block_hash: found.block.hash,
      block_time: found.block.time,
      transaction_hash: found.hash,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) throw new Conflict();
  // The signed bytes and their fees are not known, unless the transaction was given up. If the block goes, the
  // transaction is signed again.
  const { rows } = await sql`
    INSERT INTO stamp_attempt (hash, transaction_id, max_fee, priority_fee, created_at)
    VALUES (${found.hash}, ${id}, '0', '0', ${now})
    ON CONFLICT (hash) DO UPDATE SET transaction_id = excluded.transaction_id
      WHERE (SELECT state FROM stamp_transaction WHERE id = stamp_attempt.transaction_id) = 'replaced'
    RETURNING hash`.execute(tx.query());
  if (rows.length === 0) throw new Conflict();
  if ((await bindProofs(tx, id, found.contentCids)) < found.contentCids.length) throw new Conflict();
  await sql`UPDATE proof SET status = 'stamping', error_code = NULL, claimed_at = coalesce(claimed_at, ${now})
    WHERE transaction_id = ${id}`.execute(tx.query());
}
