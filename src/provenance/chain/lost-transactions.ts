import { sql } from 'kysely';
import type { Database, Transaction } from '../../platform/index.ts';
import type { ProvenanceTables } from '../receipts/tables.ts';
import { lockWaitingProofs } from '../receipts/waiting-proofs.ts';
import type { ChainRound } from './chain-round.ts';
import { lockUnchanged } from './intents.ts';
import type { TransactionRow, WatchedTransaction } from './transaction-rows.ts';

/**
 * Finds out whether the chain misses nonces below those of the sender's open transactions, or nonces of final ones. Nothing
 * that is sent then can be mined. The node may be behind. If the chain has lost the transactions, because it was started
 * again or replaced more blocks than are watched, their rows are given up: the proofs of the open ones are sent again from
 * the nonce that the chain expects. Stamped proofs of final ones keep their receipts, which can no longer be checked.
 *
 * @param open the open transactions of the chain
 * @returns whether nothing of the sender may be sent in this round
 */
export async function resolveLostNonces(round: ChainRound, open: readonly WatchedTransaction[]): Promise<boolean> {
  const { context, settings, sender, lostSince } = round;
  const count = await round.countNonces(sender);
  const first = await readFirst(context.database, settings.chainId, sender, count);
  const isMissing = first?.state === 'final' || (first?.state === 'open' && first.nonce > count);
  const place = isMissing ? await findBlock(round, first) : 'present';
  if (!isMissing || place === 'present') {
    lostSince.delete(sender);
    return false;
  }
  const now = context.clock.now();
  const since = lostSince.get(sender) ?? now;
  lostSince.set(sender, since);
  round.warnOnce({ sender }, 'the chain misses nonces that the address that stamps has used');
  const isOld = now.getTime() - since.getTime() >= settings.takenAfterMs;
  if (!isOld || place !== 'gone') return true;
  const ownOpen = open.filter((one) => one.sender === sender && one.nonce >= count);
  if (await isInPool(round, ownOpen, count)) return true;
  const lost = { chainId: settings.chainId, sender, count, first, open: ownOpen };
  const given = await giveUp(context.database, lost);
  if (given > 0) {
    context.log.error(
      { sender, nonce: count, transactions: given },
      'the chain has lost transactions with stamps: it was started again or replaced many blocks; proofs whose stamps were not final are sent again',
    );
    lostSince.delete(sender);
    round.searchedAt.clear();
  }
  return true;
}

/** Returns the transaction with the lowest nonce that the chain has not used. */
async function readFirst(
  database: Database,
  chainId: number,
  sender: string,
  count: number,
): Promise<TransactionRow | undefined> {
  return database
    .query<ProvenanceTables>()
    .selectFrom('stamp_transaction')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('sender', '=', sender)
    .where('nonce', '>=', count)
    .where('state', '<>', 'replaced')
    .orderBy('nonce')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Returns what the chain shows of the block that contained a transaction. The head of a node that is behind is older than a
 * block that it does not know, and than a transaction that was begun later.
 */
async function findBlock(
  { client, head }: ChainRound,
  { block_number, block_hash, block_time, created_at }: TransactionRow,
): Promise<'present' | 'unclear' | 'gone'> {
  const block = block_number === null ? null : await client.block(block_number);
  if (block !== null) return block.hash === block_hash ? 'present' : 'gone';
  if (block_number !== null && block_number <= head.number) return 'unclear';
  return head.time > (block_time ?? created_at) ? 'gone' : 'unclear';
}

/** Returns whether the node has transactions that can still be mined: what they commit must not be sent again. */
async function isInPool(
  { client, sender }: ChainRound,
  open: readonly WatchedTransaction[],
  count: number,
): Promise<boolean> {
  if ((await client.countNonces(sender, 'pending')) > count) return true;
  for (const { hash } of open.flatMap(({ attempts }) => attempts)) {
    if ((await client.transaction(hash)) !== null) return true;
  }
  return false;
}

interface LostTransactions {
  readonly chainId: number;
  readonly sender: string;
  /** The lowest nonce that the chain has not used. */
  readonly count: number;
  readonly first: TransactionRow;
  readonly open: readonly WatchedTransaction[];
}

/** @returns the number of transactions that were given up; 0 if another process has changed something */
function giveUp(database: Database, lost: LostTransactions): Promise<number> {
  const { chainId, sender, count } = lost;
  return database.transaction(async (tx) => {
    await lockWaitingProofs(tx);
    if (!(await areUnchanged(tx, lost))) return 0;
    const { rows } = await sql<{ id: string }>`
      UPDATE stamp_transaction SET state = 'replaced', block_number = NULL, block_hash = NULL, block_time = NULL,
        transaction_hash = NULL
      WHERE chain_id = ${chainId} AND sender = ${sender} AND nonce >= ${count} AND state IN ('open', 'final')
      RETURNING id`.execute(tx.query());
    await sql`
      UPDATE proof SET transaction_id = NULL, place = NULL, status = 'pending', error_code = NULL
      WHERE transaction_id IN (SELECT id FROM json_array_elements_text(${JSON.stringify(rows.map(({ id }) => id))}::json) AS id)
        AND status <> 'stamped'`.execute(tx.query());
    return rows.length;
  });
}

/** Locks the lost transactions. Returns false if there are others than the caller has seen, or one is in a block. */
async function areUnchanged(tx: Transaction, { chainId, sender, count, first, open }: LostTransactions) {
  for (const transaction of open) {
    if (!(await lockUnchanged(tx, transaction))) return false;
  }
  const { rows } = await sql<{ id: string; state: string }>`
    SELECT id, state FROM stamp_transaction
    WHERE chain_id = ${chainId} AND sender = ${sender} AND nonce >= ${count} AND state <> 'replaced'
    ORDER BY nonce FOR UPDATE`.execute(tx.query());
  const others = rows.filter(({ state }) => state !== 'final');
  return rows[0]?.id === first.id && rows[0].state === first.state && others.length === open.length;
}
