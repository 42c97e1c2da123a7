import type { Plan } from '../contract/index.ts';
import type { Executor } from '../platform/index.ts';
import type { StorageBudget, StorageLimits } from '../snapshots/index.ts';
import { listOwnedWorkspaces } from './account-workspaces.ts';

/** Returns the budget of an account, which includes all workspaces that it owns. */
export async function accountBudget(
  executor: Executor,
  { plans }: StorageLimits,
  { id, plan }: { readonly id: string; readonly plan: Plan },
): Promise<StorageBudget> {
  const owned = await listOwnedWorkspaces(executor, id);
  return { kind: 'account', payers: [id, ...owned.map((workspace) => workspace.id)], limit: plans[plan] };
}

export function workspaceBudget({ workspace }: StorageLimits, workspaceId: string): StorageBudget {
  return { kind: 'workspace', payers: [workspaceId], limit: workspace };
}
