import type { Executor, Transaction } from '../../platform/index.ts';
import { findExceededBudget, isOverBudget, type StorageBudget, storageExceeded } from '../../snapshots/index.ts';
import { accountBudget, workspaceBudget } from '../../workspaces/index.ts';
import type { ForecastContext } from '../context.ts';
import type { Payer } from '../owner.ts';
import { freeFailedSnapshots } from './drop-snapshots.ts';

type StorageContext = Pick<ForecastContext, 'database' | 'clock' | 'storage'>;

/** Where a forecast is stored. */
interface Target {
  readonly workspaceId: string | null;
  /** The hash of the network of a guest; null for an account. */
  readonly network: string | null;
}

/** Returns the budgets that a new forecast of this payer counts toward. */
export async function findBudgets(
  { storage }: Pick<StorageContext, 'storage'>,
  executor: Executor,
  { id, plan }: Pick<Payer, 'id' | 'plan'>,
  { workspaceId, network }: Target,
): Promise<readonly [StorageBudget, ...StorageBudget[]]> {
  if (plan !== null) {
    const account = await accountBudget(executor, storage, { id, plan });
    return workspaceId === null ? [account] : [workspaceBudget(storage, workspaceId), account];
  }
  const guest: StorageBudget = { kind: 'guest', payers: [id], limit: storage.guest };
  return network === null ? [guest] : [guest, { kind: 'network', payers: [network], limit: storage.network }];
}

/**
 * Refuses a forecast that the transaction has stored if it exceeds a budget of its payer, even without the snapshots of
 * the payer's failed forecasts, which are removed first. Call it after the other statements of the transaction.
 */
export async function requireStorage(
  context: StorageContext,
  tx: Transaction,
  payer: Pick<Payer, 'id' | 'plan' | 'isCaller'>,
  target: Target,
): Promise<void> {
  const budgets = await findBudgets(context, tx, payer, target);
  const exceeded = await findExceededBudget(tx, payer.id, budgets, (...request) =>
    freeFailedSnapshots(context.clock)(...request),
  );
  if (exceeded) throw storageExceeded(exceeded, payer.isCaller);
}

/** Runs work in a transaction. */
export type Transact = (work: (tx: Transaction) => Promise<void>) => Promise<void>;

/**
 * Refuses a request whose payer already exceeds a budget, before rows are read and frozen.
 *
 * @param transact runs the transaction that removes snapshots of failed forecasts, if that is enough
 */
export async function requireStorageLeft(
  context: StorageContext,
  payer: Payer,
  target: Target,
  transact: Transact,
): Promise<void> {
  if (await canExceedStorage(context, payer, target, 0)) {
    await transact((tx) => requireStorage(context, tx, payer, target));
  }
}

/** Returns whether so many more bytes exceed a budget of the payer, if none are freed. Nothing is locked or freed. */
export async function canExceedStorage(
  context: StorageContext,
  payer: Payer,
  target: Target,
  bytes: number,
): Promise<boolean> {
  const { database } = context;
  const budgets = await findBudgets(context, database, payer, target);
  return isOverBudget(
    database,
    budgets.map((budget) => ({ ...budget, limit: budget.limit - bytes })),
  );
}
