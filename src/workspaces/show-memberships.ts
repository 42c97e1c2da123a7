import { capabilitiesOf } from '../access/index.ts';
import type { WorkspaceContext } from './context.ts';
import { listMemberships } from './list-memberships.ts';
import type { MembershipView } from './membership-view.ts';
import { asShownTo } from './shown-scopes.ts';

type Context = Pick<WorkspaceContext, 'database' | 'privateToOthers'>;

/** Every workspace in which the account has a place, oldest first, as the account is shown them. */
export async function listShownMemberships(context: Context, accountId: string): Promise<MembershipView[]> {
  return showMemberships(context, accountId, await listMemberships(context.database, accountId));
}

/** What is not shown is nothing that the account could use. */
export async function showMemberships(
  context: Context,
  accountId: string,
  views: readonly MembershipView[],
): Promise<MembershipView[]> {
  const shown = await asShownTo(context, context.database, accountId, views);
  return shown.map((view) => ({
    ...view,
    capabilities: capabilitiesOf({ role: view.role, ...view.resource_scope }),
  }));
}
