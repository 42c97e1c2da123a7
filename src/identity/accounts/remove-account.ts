import type { Executor, Transaction } from '../../platform/index.ts';
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
 * Returns whether an account is the only administrator. One that is locked or whose address is not verified does not
 * count, because it cannot administer.
 */
export async function isOnlyAdministrator(executor: Executor, accountId: string): Promise<boolean> {
  return isOnlyOne(await selectAdministrators(executor).execute(), accountId);
}

/**
 * Like `isOnlyAdministrator`, but locks all administrators until the transaction ends, in the order in which changes of
 * administrators lock them. Of two that erase their accounts at the same time, one therefore remains.
 */
export async function lockAdministrators(tx: Transaction, accountId: string): Promise<boolean> {
  const account = await tx
    .query<IdentityTables>()
    .selectFrom('account')
    .select('administrator')
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account?.administrator) return false;
  return isOnlyOne(await selectAdministrators(tx).orderBy('id').forNoKeyUpdate().execute(), accountId);
}

function selectAdministrators(executor: Executor) {
  return executor
    .query<IdentityTables>()
    .selectFrom('account')
    .select('id')
    .where('administrator', '=', true)
    .where('email_verified', '=', true)
    .where('locked_at', 'is', null);
}

function isOnlyOne(administrators: readonly { readonly id: string }[], accountId: string): boolean {
  return administrators.length === 1 && administrators[0]?.id === accountId;
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
