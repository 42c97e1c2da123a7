import type { Plan } from '../contract/index.ts';
import type { Executor } from '../platform/index.ts';
import type { WorkspaceTables } from './tables.ts';

interface Tables extends WorkspaceTables {
  account: { id: string; plan: Plan };
}

/** The plan of the owner of a workspace, by id or slug; null where the account has no place in it. */
export async function effectivePlan(executor: Executor, accountId: string, workspace: string): Promise<Plan | null> {
  const found = await executor
    .query<Tables>()
    .selectFrom('workspace')
    .innerJoin('workspace_member as member', 'member.workspace_id', 'workspace.id')
    .innerJoin('account', 'account.id', 'workspace.owner_account_id')
    .select('account.plan')
    .where('member.account_id', '=', accountId)
    .where((where) => where.or([where('workspace.id', '=', workspace), where('workspace.slug', '=', workspace)]))
    .executeTakeFirst();
  return found?.plan ?? null;
}
