import type { Account } from '../../access/index.ts';
import { MINUTE_MS } from '../../calendar/index.ts';
import { SCOPES } from '../../contract/index.ts';
import type { Executor, Transaction } from '../../platform/index.ts';
import { accountNotFound } from '../faults.ts';
import type { AccountTable, IdentityTables } from '../tables.ts';

/** The columns of an account that are read to authenticate a credential. */
export const ACCOUNT_COLUMNS = [
  'account.id as account_id',
  'account.email',
  'account.email_verified',
  'account.plan',
  'account.administrator',
] as const;

/** The account that a service on loopback creates for a newcomer. Its key is in a file and in the log of the start. */
export const DEMONSTRATION_EMAIL = 'demo@almanac.local';

/** The last use of a credential is stored with this precision, so that not every request has to write it. */
export const LAST_USE_PRECISION_MS = 5 * MINUTE_MS;

type AccountRow = Pick<AccountTable, 'email' | 'email_verified' | 'plan' | 'administrator'> & { account_id: string };

/** Returns the principal of an account with its credential. */
export function buildPrincipal(
  row: AccountRow,
  credential: Pick<Account, 'credential' | 'credentialId' | 'credentialExpiresAt' | 'dependsOn' | 'scopes'>,
): Account {
  return {
    kind: 'account',
    accountId: row.account_id,
    email: row.email,
    emailVerified: row.email_verified,
    plan: row.plan,
    administrator: row.administrator,
    ...credential,
  };
}

/**
 * Returns the principal of an account without a credential, for work that an earlier request started. It has the current
 * plan of the account. Returns null if the account no longer exists.
 */
export async function readPrincipal(executor: Executor, accountId: string): Promise<Account | null> {
  const row = await executor
    .query<IdentityTables>()
    .selectFrom('account')
    .select(ACCOUNT_COLUMNS)
    .where('account.id', '=', accountId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const noCredential = { credential: 'session', credentialId: '', credentialExpiresAt: null, scopes: SCOPES } as const;
  return buildPrincipal(row, noCredential);
}

/** Returns whether an account is locked. A locked account has no working credential and gets no mail. */
export async function isLocked(executor: Executor, accountId: string): Promise<boolean> {
  const row = await executor
    .query<IdentityTables>()
    .selectFrom('account')
    .select('locked_at')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined && row.locked_at !== null;
}

/** Returns the account with this address, or null. */
export async function findAccount(executor: Executor, email: string): Promise<{ id: string; email: string } | null> {
  const row = await executor
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the account with this address. Throws a fault if there is none. Only operators may learn this. */
export async function requireAccount(executor: Executor, email: string): Promise<{ id: string; email: string }> {
  const account = await findAccount(executor, email);
  if (!account) throw accountNotFound(email);
  return account;
}

/**
 * Locks an account until the transaction ends, to serialize changes to its keys, password and address. Rows that only
 * refer to the account can still be inserted; otherwise two transactions could wait for each other.
 */
export async function lockAccount(
  tx: Transaction,
  accountId: string,
): Promise<{ readonly id: string; readonly email: string } | null> {
  const account = await tx
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email'])
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account ?? null;
}
