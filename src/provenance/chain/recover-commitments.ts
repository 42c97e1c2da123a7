import { DAY_MS } from '../../calendar/index.ts';
import type { ProvenanceTables } from '../receipts/tables.ts';
import { adoptTransactions, type FoundTransaction, replaceTransaction } from './adopt-transactions.ts';
import type { ChainRound } from './chain-round.ts';
import { findCommitments, findFirstBlockSince } from './find-commitments.ts';
import type { WatchedTransaction } from './transaction-rows.ts';

/**
 * Looks for waiting proofs on the chain. The sender has used nonces that this database does not know: by another program,
 * or before the database was restored from a backup. In the second case, the chain already has some of the proofs.
 *
 * @returns false if no transaction may be sent yet
 */
export async function recoverCommitments(round: ChainRound): Promise<boolean> {
  const { context, client, settings, sender, head, searchedAt } = round;
  round.warnOnce(
    { sender },
    'the address that stamps was used elsewhere; the chain is searched for the waiting proofs',
  );
  const { oldest } = await context.database
    .query<ProvenanceTables>()
    .selectFrom('proof')
    .select(({ fn }) => fn.min('created_at').as('oldest'))
    .where('status', '<>', 'stamped')
    .where('transaction_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (oldest === null) return true;
  // No commitment is older than its proof. The clocks of the chain and of this machine differ by less than a day.
  const fromBlock = await findFirstBlockSince(client, new Date(oldest.getTime() - DAY_MS), head);
  const { contract, setCid } = settings;
  const found = await findTransactions(round, { contract, setCid, sender, fromBlock, replacedId: null });
  if (found === null || !(await knowsHead(round))) return false;
  if (found.length > 0) {
    await adoptTransactions(context.database, found, context.clock.now());
    return false;
  }
  // Nothing is sent before a second round has found nothing either, because a node that is behind may have replied.
  const used = await round.countNonces(sender);
  const block = searchedAt.get(used);
  searchedAt.clear();
  searchedAt.set(used, Math.max(head.number, block ?? 0));
  return block !== undefined && head.number >= block;
}

/** Returns whether the node has the head of the round. One that is behind has no events of the latest blocks. */
async function knowsHead({ client, head }: ChainRound): Promise<boolean> {
  const latest = await client.latestBlock();
  return latest.number >= head.number && (await client.block(head.hash)) !== null;
}

/**
 * Decides about a transaction whose nonce the chain has used, although no block contains one of its attempts. If that is
 * confirmed, another program has taken the nonce.
 */
export async function resolveTakenNonce(round: ChainRound, transaction: WatchedTransaction): Promise<void> {
  const { context, client, settings, head } = round;
  const { sender, nonce, contract, set_cid: setCid, id, attempts } = transaction;
  const confirmed = head.number - settings.confirmations + 1;
  if (confirmed < 0 || nonce >= (await client.countNonces(sender, confirmed))) return;
  const now = context.clock.now();
  const since = round.takenSince.get(id) ?? now;
  round.takenSince.set(id, since);
  if (now.getTime() - since.getTime() < settings.takenAfterMs) return;
  // Blocks that were replaced since then may have had higher numbers.
  const fromBlock = Math.max(0, transaction.from_block - settings.confirmations - settings.watchedBlocks);
  const found = await findTransactions(round, { contract, setCid, sender, fromBlock, replacedId: id });
  // If the chain has an attempt after all, the node has answered inconsistently.
  if (found === null || found.some(({ hash }) => attempts.some((attempt) => attempt.hash === hash))) return;
  if (await replaceTransaction(context.database, transaction, found, now)) {
    context.log.warn({ nonce }, 'another program has used the nonce of a transaction with stamps');
  }
}

interface Search {
  readonly contract: string;
  readonly setCid: string;
  readonly sender: string;
  readonly fromBlock: number;
  /** The transaction whose proofs count as waiting. */
  readonly replacedId: string | null;
}

/** Returns the transactions that commit waiting proofs; null if the chain changed during the search. */
async function findTransactions(round: ChainRound, search: Search): Promise<FoundTransaction[] | null> {
  const { client, settings, head } = round;
  const { contract, setCid, sender, fromBlock } = search;
  const filter = { contract, user: sender, setCid, fromBlock, toBlock: head.number };
  const byProof = new Map<string, string>();
  for (const { objectCid, transactionHash } of await findCommitments(client, filter)) {
    if (!byProof.has(objectCid)) byProof.set(objectCid, transactionHash);
  }
  const waiting = await readWaiting(round, [...byProof.keys()], search.replacedId);
  const found: FoundTransaction[] = [];
  for (const [hash, contentCids] of Map.groupBy(waiting, (cid) => byProof.get(cid) as string)) {
    const transaction = await client.transaction(hash);
    const block = transaction?.blockHash == null ? null : await client.block(transaction.blockHash);
    if (transaction === null || block === null) return null;
    const { nonce, data, gas } = transaction;
    found.push({ chainId: settings.chainId, contract, sender, setCid, hash, nonce, data, gas, block, contentCids });
  }
  return found;
}

/** The number of ids in a statement. */
const MAX_IDS = 5_000;

async function readWaiting(
  { context }: ChainRound,
  contentCids: readonly string[],
  replacedId: string | null,
): Promise<string[]> {
  const waiting: string[] = [];
  for (let from = 0; from < contentCids.length; from += MAX_IDS) {
    const rows = await context.database
      .query<ProvenanceTables>()
      .selectFrom('proof')
      .select('content_cid')
      .where('content_cid', 'in', contentCids.slice(from, from + MAX_IDS))
      .where('status', '<>', 'stamped')
      .where(({ or, eb }) =>
        or([eb('transaction_id', 'is', null), ...(replacedId === null ? [] : [eb('transaction_id', '=', replacedId)])]),
      )
      .execute();
    waiting.push(...rows.map(({ content_cid }) => content_cid));
  }
  return waiting;
}
