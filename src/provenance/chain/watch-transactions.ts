import type { ChainRound } from './chain-round.ts';
import type { TransactionReceipt } from './node-replies.ts';
import { readProofsOf, type TransactionRow, type WatchedTransaction } from './transaction-rows.ts';
import { markFinal, markIncluded, markStamped, releaseFailed, reopen } from './transaction-states.ts';

export interface Watched {
  /** The transactions that no block contains. */
  readonly open: readonly WatchedTransaction[];
  /** The number of proofs that became stamped. */
  readonly stamped: number;
  /** Whether a transaction waits for its block or for its confirmations. */
  readonly isUnfinished: boolean;
}

/** Looks each transaction up on the chain and stores what has changed. */
export async function watchTransactions(
  round: ChainRound,
  transactions: readonly WatchedTransaction[],
): Promise<Watched> {
  const open: WatchedTransaction[] = [];
  let stamped = 0;
  let isUnfinished = false;
  for (const transaction of transactions) {
    const row = await updateInclusion(round, transaction);
    if (row === null) continue;
    if (row.state === 'open') open.push({ ...transaction, ...row });
    else round.takenSince.delete(row.id);
    stamped += await updateDepth(round, row);
    isUnfinished ||= row.state === 'open' || row.state === 'mined';
  }
  return { open, stamped, isUnfinished };
}

/** @returns the row as it is now; null if another process has changed it */
async function updateInclusion(round: ChainRound, transaction: WatchedTransaction): Promise<TransactionRow | null> {
  const { client, context } = round;
  let row: TransactionRow | null = transaction;
  if (row.block_number !== null) {
    const block = await client.block(row.block_number);
    if (block?.hash === row.block_hash) return row;
    // The chain has a block of this number: a node that is behind the one with the head has replied.
    if (block === null && row.block_number <= round.head.number) return row;
    context.log.warn({ block: row.block_number, nonce: row.nonce }, 'a block with stamps is no longer on the chain');
    row = await reopen(context.database, row);
    if (row === null) return null;
  }
  const receipt = await findReceipt(round, transaction);
  if (receipt === null) return row;
  const block = await client.block(receipt.blockHash);
  // The chain has changed since the receipt was read.
  if (block === null) return row;
  const isEffective = receipt.isSuccess && (await findUncommitted(round, row, receipt, block.time)).length === 0;
  if (!isEffective) context.log.error({ transaction: receipt.hash }, 'the contract refused a transaction with stamps');
  const inclusion = { transactionHash: receipt.hash, block };
  return markIncluded(context.database, row, isEffective ? 'mined' : 'failed', inclusion);
}

/** @returns the number of proofs that became stamped */
async function updateDepth(round: ChainRound, row: TransactionRow): Promise<number> {
  const { database, clock } = round.context;
  const { confirmations, watchedBlocks } = round.settings;
  const depth = row.block_number === null ? 0 : round.head.number - row.block_number + 1;
  // Sent again, a refused transaction could have an effect, so its proofs stay with it while its block can go.
  if (row.state === 'failed' && depth > confirmations + watchedBlocks) {
    await decideFailed(round, row);
  } else if (row.state === 'stamped' && depth > confirmations + watchedBlocks) {
    await markFinal(database, row);
  } else if (row.state === 'mined' && depth >= confirmations) {
    return markStamped(database, row, clock.now());
  }
  return 0;
}

/** Returns the receipt of the attempt that a block contains. At most one can be, because they share a nonce. */
async function findReceipt(round: ChainRound, { attempts }: WatchedTransaction): Promise<TransactionReceipt | null> {
  for (const { hash } of attempts.toReversed()) {
    const receipt = await round.client.receipt(hash);
    if (receipt !== null) return receipt;
  }
  return null;
}

/**
 * Has the proofs of a refused transaction stamped by another one. The receipt is read again before, because a node can
 * return one without its events: a proof that the transaction has committed stays with it.
 */
async function decideFailed(round: ChainRound, row: TransactionRow): Promise<void> {
  const { client, context } = round;
  const receipt = row.transaction_hash === null ? null : await client.receipt(row.transaction_hash);
  // A node that is behind has replied, or the chain has just changed.
  if (receipt?.blockHash !== row.block_hash || row.block_time === null) return;
  const uncommitted = await findUncommitted(round, row, receipt, row.block_time);
  await releaseFailed(context.database, row, { uncommitted, isEffective: receipt.isSuccess }, context.clock.now());
}

/** Returns the proofs that a transaction has not committed at the time of its block. */
async function findUncommitted(
  round: ChainRound,
  { id, contract, sender, set_cid }: TransactionRow,
  { commitments }: TransactionReceipt,
  time: Date,
): Promise<string[]> {
  const committed = new Set(
    commitments
      .filter((one) => one.contract === contract && one.user === sender && one.setCid === set_cid)
      .filter((one) => one.time.getTime() === time.getTime())
      .map(({ objectCid }) => objectCid),
  );
  const proofs = await readProofsOf(round.context.database, id);
  return proofs.filter((contentCid) => !committed.has(contentCid));
}
