import { type Selectable, sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import type { ProvenanceTables, StampAttemptTable, StampTransactionTable } from '../receipts/tables.ts';

export type TransactionRow = Selectable<StampTransactionTable>;
export type AttemptRow = Selectable<StampAttemptTable>;

/** A transaction with its attempts, the cheapest first. Every later attempt pays more. */
export interface WatchedTransaction extends TransactionRow {
  readonly attempts: readonly AttemptRow[];
}

/** The states in which a transaction can still change. */
const WATCHED = ['open', 'mined', 'stamped', 'failed'] as const;

/** Returns the transactions of a chain that can still change, by sender and nonce. */
export async function readWatched(executor: Executor, chainId: number): Promise<WatchedTransaction[]> {
  const query = executor.query<ProvenanceTables>();
  const transactions = await query
    .selectFrom('stamp_transaction')
    .selectAll()
    .where('state', 'in', WATCHED)
    .where('chain_id', '=', chainId)
    .orderBy('sender')
    .orderBy('nonce')
    .execute();
  if (transactions.length === 0) return [];
  const ids = transactions.map(({ id }) => id);
  const attempts = await query.selectFrom('stamp_attempt').selectAll().where('transaction_id', 'in', ids).execute();
  attempts.sort((a, b) => (BigInt(a.max_fee) < BigInt(b.max_fee) ? -1 : 1));
  const byTransaction = Map.groupBy(attempts, ({ transaction_id }) => transaction_id);
  return transactions.map((row) => ({ ...row, attempts: byTransaction.get(row.id) ?? [] }));
}

/** The use of the nonces of a sender. */
export interface NonceUse {
  /** The nonce after the last one that this service has used; 0 if it has used none. */
  readonly next: number;
  readonly open: number;
  /** Whether a transaction that adds the set is under way. */
  readonly isAddingSet: boolean;
  /** What the open transactions can cost together, in wei. */
  readonly reserved: bigint;
}

export interface NonceFilter {
  readonly chainId: number;
  readonly sender: string;
  readonly contract: string;
  readonly setCid: string;
}

/** Returns how this service uses the nonces of a sender. Reads indexes only, because final transactions are kept. */
export async function readNonceUse(
  executor: Executor,
  { chainId, sender, contract, setCid }: NonceFilter,
): Promise<NonceUse> {
  const ofSender = sql`chain_id = ${chainId} AND sender = ${sender}`;
  const { rows } = await sql<{ next: number; open: number; adding: number; reserved: string }>`
    SELECT coalesce((SELECT max(nonce) + 1 FROM stamp_transaction WHERE ${ofSender} AND state <> 'replaced'), 0)::bigint
        AS next,
      count(*) FILTER (WHERE state = 'open') AS open,
      count(*) FILTER (WHERE kind = 'set' AND contract = ${contract} AND set_cid = ${setCid}) AS adding,
      coalesce(sum(gas * (SELECT max(max_fee::numeric) FROM stamp_attempt WHERE transaction_id = stamp_transaction.id))
        FILTER (WHERE state = 'open'), 0)::text AS reserved
    FROM stamp_transaction
    WHERE ${ofSender} AND state IN (${sql.join(WATCHED.map((state) => sql.lit(state)))})`.execute(executor.query());
  const { next, open, adding, reserved } = rows[0] ?? { next: 0, open: 0, adding: 0, reserved: '0' };
  return { next, open, isAddingSet: adding > 0, reserved: BigInt(reserved) };
}

/** Returns the proofs that a transaction stamps, in the order of its objects. */
export async function readProofsOf(executor: Executor, transactionId: string): Promise<string[]> {
  const rows = await executor
    .query<ProvenanceTables>()
    .selectFrom('proof')
    .select('content_cid')
    .where('transaction_id', '=', transactionId)
    .orderBy('place')
    .execute();
  return rows.map(({ content_cid }) => content_cid);
}
