import { newId, type Transaction } from '../platform/index.ts';
import { insertWorkspace } from './insert-workspace.ts';

/** The workspace that every account has from its first moment on. Runs in the transaction that makes the account. */
export async function openPersonalWorkspace(tx: Transaction, account: { id: string }, now: Date): Promise<void> {
  const id = newId('ws', now.getTime());
  const workspace = {
    id,
    name: 'Personal',
    // The slug is visible to members: it says nothing about the owner's address.
    slug: `personal-${id.slice(-10).toLowerCase()}`,
    owner_account_id: account.id,
    legacy_personal: true,
  };
  if (!(await insertWorkspace(tx, workspace, now))) throw new Error(`The slug ${workspace.slug} was taken.`);
}
