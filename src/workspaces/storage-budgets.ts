import type { Plan } from '../contract/index.ts';
import type { Executor } from '../platform/index.ts';
import type { StorageBudget, StorageLimits } from '../snapshots/index.ts';
import { ownedWorkspaces } from './memberships.ts';

/** Returns the budget of an account, which includes all workspaces that it owns. */
export async function accountBudget(
  executor: Executor,
  { plans }: StorageLimits,
  { id, plan }: { readonly id: string; readonly plan: Plan },
): Promise<StorageBudget> {
  const { rows } = await ownedWorkspaces(id).execute(executor.query());
  return { kind: 'account', payers: [id, ...rows.map(({ workspace_id }) => workspace_id)], limit: plans[plan] };
}

export function workspaceBudget({ workspace }: StorageLimits, workspaceId: string): StorageBudget {
  return { kind: 'workspace', payers: [workspaceId], limit: workspace };
}
