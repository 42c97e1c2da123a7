import { sql } from 'kysely';
import { Fault } from '../contract/index.ts';
import { lockAccount } from '../identity/index.ts';
import type { Transaction } from '../platform/index.ts';
import type { WorkspaceTables } from './tables.ts';

/** Workspaces of one owner, the personal one included. */
export const MAX_OWNED = 20;
/**
 * Workspaces of others in which an account can have a place. Counted by itself: whoever is added everywhere can still
 * make workspaces of its own.
 */
export const MAX_JOINED = 80;

/**
 * Refuses a place too many. Locks the account until the end of the transaction, so that of many at once no more get
 * through than there is room for. Comes after the lock on the workspace, where there is one.
 *
 * @param whose as the one who asks knows it, for the refusal
 */
export async function refuseBeyondLimit(
  tx: Transaction,
  accountId: string,
  place: 'owned' | 'joined',
  whose: string,
): Promise<void> {
  await lockAccount(tx, accountId);
  const places = await tx
    .query<WorkspaceTables>()
    .selectFrom('workspace_member')
    .select([
      sql<number>`count(*) FILTER (WHERE role = 'owner')`.as('owned'),
      sql<number>`count(*) FILTER (WHERE role <> 'owner')`.as('joined'),
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (place === 'owned' && places.owned >= MAX_OWNED) {
    throw new Fault(
      'LIMIT_REACHED',
      `${whose} owns ${MAX_OWNED} workspaces, as many as it may. Delete or transfer one.`,
    );
  }
  if (place === 'joined' && places.joined >= MAX_JOINED) {
    throw new Fault(
      'LIMIT_REACHED',
      `${whose} has a place in ${MAX_JOINED} workspaces of others, as many as it may. Leave one first.`,
    );
  }
}
