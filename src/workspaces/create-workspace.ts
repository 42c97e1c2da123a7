import type { Account } from '../access/index.ts';
import { newId, slugOf } from '../platform/index.ts';
import type { WorkspaceContext } from './context.ts';
import { insertWorkspace } from './insert-workspace.ts';
import { refuseBeyondLimit } from './limits.ts';
import type { MembershipView } from './membership-view.ts';
import { viewChanged } from './read-workspace.ts';

/** Makes a workspace that the caller owns. Its slug is made from its first name and stays. */
export async function createWorkspace(
  { database, clock }: WorkspaceContext,
  principal: Account,
  { name }: { readonly name: string },
): Promise<MembershipView> {
  const now = clock.now();
  return database.transaction(async (tx) => {
    await refuseBeyondLimit(tx, principal.accountId, 'owned', 'Your account');
    const id = newId('ws', now.getTime());
    const workspace = { id, name, owner_account_id: principal.accountId, legacy_personal: false };
    let isMade = false;
    // The few random characters of a slug that is taken are taken once in four billion times.
    while (!isMade) isMade = await insertWorkspace(tx, { ...workspace, slug: slugOf(name, 'workspace') }, now);
    return viewChanged(tx, principal, id);
  });
}
