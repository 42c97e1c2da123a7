import type { Kysely } from 'kysely';
import { type Account, decide } from '../access/index.ts';
import { compileOnce, type Executor } from '../platform/index.ts';
import type { WorkspaceContext } from './context.ts';
import { type MembershipView, selectMemberships, viewMembership } from './membership-view.ts';
import { workspaceDenied } from './place.ts';
import { showMemberships } from './show-memberships.ts';
import type { WorkspaceTables } from './tables.ts';

const membershipIn = compileOnce((db: Kysely<WorkspaceTables>, values: { accountId: string; workspace: string }) =>
  selectMemberships(db, values.accountId).where((where) =>
    where.or([where('workspace.id', '=', values.workspace), where('workspace.slug', '=', values.workspace)]),
  ),
);

/**
 * The workspace with this id or slug as the caller is shown it, if the caller has a place there. One statement for
 * everybody who has not.
 */
export async function readWorkspace(
  context: Pick<WorkspaceContext, 'database' | 'privateToOthers'>,
  principal: Account,
  workspaceIdOrSlug: string,
): Promise<MembershipView> {
  const view = await findView(context.database, principal.accountId, workspaceIdOrSlug);
  const membership = view && { role: view.role, ...view.resource_scope };
  if (view === null || !decide(principal, 'workspace.read', { membership }).allowed) throw workspaceDenied();
  const [shown] = await showMemberships(context, principal.accountId, [view]);
  return shown ?? view;
}

/** What whoever has just changed a workspace is answered: that takes no further permission. */
export async function viewChanged(
  executor: Executor,
  { accountId }: Account,
  workspaceId: string,
): Promise<MembershipView> {
  const view = await findView(executor, accountId, workspaceId);
  if (view === null) throw new Error(`${accountId} has changed ${workspaceId} and has no place there.`);
  return view;
}

async function findView(executor: Executor, accountId: string, workspace: string): Promise<MembershipView | null> {
  const [row] = await membershipIn(executor, { accountId, workspace });
  return row === undefined ? null : viewMembership(row);
}
