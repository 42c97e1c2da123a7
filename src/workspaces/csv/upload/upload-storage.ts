import type { Account } from '../../../access/index.ts';
import type { Executor, Transaction } from '../../../platform/index.ts';
import { findExceededBudget, isOverBudget, type StorageBudget, storageExceeded } from '../../../snapshots/index.ts';
import { workspaceDenied } from '../../faults.ts';
import { type FoundMembership, readOwnerPlan } from '../../memberships.ts';
import { accountBudget, workspaceBudget } from '../../storage-budgets.ts';
import type { UploadContext } from '../find-csv-file.ts';

/**
 * Refuses a file that the transaction has stored if it exceeds the budget of its workspace or of the owner. Call it
 * after the other statements of the transaction.
 */
export async function requireStorage(
  { storage, freeBytes }: UploadContext,
  tx: Transaction,
  principal: Account,
  membership: FoundMembership,
): Promise<void> {
  const { ownerAccountId } = membership;
  const budgets = await findBudgets(storage, tx, principal, membership);
  const exceeded = await findExceededBudget(tx, ownerAccountId, budgets, freeBytes);
  if (exceeded) throw storageExceeded(exceeded, ownerAccountId === principal.accountId);
}

/** Refuses an upload before its body is read if a budget is already exceeded. */
export async function requireStorageLeft(
  context: UploadContext,
  principal: Account,
  membership: FoundMembership,
): Promise<void> {
  const { database, storage } = context;
  if (!(await isOverBudget(database, await findBudgets(storage, database, principal, membership)))) return;
  await database.transaction((tx) => requireStorage(context, tx, principal, membership));
}

async function findBudgets(
  storage: UploadContext['storage'],
  executor: Executor,
  { accountId }: Account,
  { workspaceId, ownerAccountId }: FoundMembership,
): Promise<StorageBudget[]> {
  const plan = await readOwnerPlan(executor, accountId, workspaceId);
  // The membership was removed after it was read.
  if (plan === null) throw workspaceDenied();
  return [workspaceBudget(storage, workspaceId), await accountBudget(executor, storage, { id: ownerAccountId, plan })];
}
