import type { Kysely } from 'kysely';
import { compileOnce, type Executor } from '../platform/index.ts';
import { type MembershipView, selectMemberships, viewMembership } from './membership-view.ts';
import type { WorkspaceTables } from './tables.ts';

const membershipsOf = compileOnce((db: Kysely<WorkspaceTables>, { accountId }: { accountId: string }) =>
  selectMemberships(db, accountId).orderBy('workspace.created_at').orderBy('workspace.id'),
);

/** Every workspace in which the account has a place, oldest first, as stored at this moment. */
export async function listMemberships(executor: Executor, accountId: string): Promise<MembershipView[]> {
  return (await membershipsOf(executor, { accountId })).map(viewMembership);
}
