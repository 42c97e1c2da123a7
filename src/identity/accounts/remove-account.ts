import type { Transaction } from '../../platform/index.ts';
import { revokeGrants } from '../oauth/grants.ts';
import type { IdentityTables } from '../tables.ts';

/** The numbers of credentials that were removed with an account, including expired and revoked ones. */
export interface RemovedCredentials {
  readonly apiKeys: number;
  readonly sessions: number;
  readonly grants: number;
}

/**
 * Locks an account until the transaction ends, so that nothing that refers to it can be stored. Returns the hash of its
 * password, or null if the account no longer exists.
 */
export async function lockForRemoval(
  tx: Transaction,
  accountId: string,
): Promise<{ readonly passwordHash: string | null } | null> {
  const account = await tx
    .query<IdentityTables>()
    .selectFrom('account')
    .select('password_hash')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return account === undefined ? null : { passwordHash: account.password_hash };
}

/**
 * Removes an account with its credentials, security events, links and linked identities. Lock it with `lockForRemoval`
 * first. Workspaces and everything that other floors store must have been removed before.
 */
export async function removeAccount(
  tx: Transaction,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<RemovedCredentials> {
  const db = tx.query<IdentityTables>();
  const keys = await db.deleteFrom('api_key').where('account_id', '=', id).returning('id').execute();
  const sessions = await db.deleteFrom('browser_session').where('account_id', '=', id).returning('id').execute();
  const grants = await revokeGrants(tx, id);
  // Links without an account, such as that of a second sign-up, also contain the address.
  await db.deleteFrom('account_link').where('email', '=', email).execute();
  await db.deleteFrom('account').where('id', '=', id).execute();
  return { apiKeys: keys.length, sessions: sessions.length, grants };
}
