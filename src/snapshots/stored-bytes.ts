import { sql } from 'kysely';
import type { Plan } from '../contract/index.ts';
import type { Executor, Transaction } from '../platform/index.ts';

// Triggers count the bytes of snapshots, results and files for each payer. They run at the end of a transaction, or
// when `findExceededBudget` makes them run.

/** Maximum numbers of bytes that payers can store. */
export interface StorageLimits {
  readonly guest: number;
  /** For all guests of one network together. */
  readonly network: number;
  readonly workspace: number;
  /** For an account, with all workspaces that it owns. */
  readonly plans: Readonly<Record<Plan, number>>;
}

/** A limit on the bytes that some payers store together. */
export interface StorageBudget {
  readonly kind: 'guest' | 'network' | 'workspace' | 'account';
  /** An account (outside workspaces), workspaces, a guest or a network. */
  readonly payers: readonly string[];
  readonly limit: number;
}

/**
 * Frees bytes of these payers, at least as many as requested if possible.
 *
 * @returns whether anything was freed
 */
export type FreeBytes = (tx: Transaction, payers: readonly string[], bytes: number) => Promise<boolean>;

/** Returns the bytes that these payers store together. */
export async function readStoredBytes(executor: Executor, payers: readonly string[]): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM stored_bytes WHERE payer = ANY (${[...payers]}::text[])
  `.execute(executor.query());
  return rows[0]?.bytes ?? 0;
}

/**
 * Returns the first of these budgets that is exceeded, counting what the transaction has stored; null if there is none.
 * Frees bytes if that is enough. If a budget is returned, the caller must roll back.
 *
 * Call it after the other statements of the transaction. It locks the payers until the transaction ends, so that of two
 * concurrent transactions of which only one fits, the second is refused.
 *
 * @param payer the account or guest that the budgets belong to
 */
export async function findExceededBudget(
  tx: Transaction,
  payer: string,
  budgets: readonly StorageBudget[],
  freeBytes: FreeBytes,
): Promise<StorageBudget | null> {
  // An account is locked before its workspaces, because its budget includes theirs.
  await sql`
    INSERT INTO stored_bytes (payer, bytes) VALUES (${payer}, 0)
    ON CONFLICT (payer) DO UPDATE SET bytes = stored_bytes.bytes`.execute(tx.query());
  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx.query());
  for (const budget of budgets) {
    for (;;) {
      const excess = (await readStoredBytes(tx, budget.payers)) - budget.limit;
      if (excess <= 0) break;
      if (!(await freeBytes(tx, budget.payers, excess))) return budget;
    }
  }
  return null;
}

/** Returns whether one of these budgets is exceeded. Nothing is locked or freed. */
export async function isOverBudget(executor: Executor, budgets: readonly StorageBudget[]): Promise<boolean> {
  for (const { payers, limit } of budgets) if ((await readStoredBytes(executor, payers)) > limit) return true;
  return false;
}
