import type { Executor } from '../../platform/index.ts';
import type { OAuthTables } from './tables.ts';

/** What applications can ask for. */
export const OAUTH_SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const;

/** What each scope tells about a person. */
export const CLAIMS_BY_SCOPE: Readonly<Record<string, readonly (keyof AccountClaims)[]>> = {
  openid: ['sub'],
  profile: ['name'],
  email: ['email', 'email_verified'],
};

export interface AccountClaims {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
}

/** All that can be told about an account; undefined when there is none with this id. */
export async function readAccountClaims(executor: Executor, accountId: string): Promise<AccountClaims | undefined> {
  const row = await executor
    .query<OAuthTables>()
    .selectFrom('account')
    .select(['id', 'email', 'email_verified'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row && accountClaims(row);
}

export function accountClaims(row: { id: string; email: string; email_verified: boolean }): AccountClaims {
  // Accounts have no name of their own; what stands before the @ is what people know each other by.
  const name = row.email.slice(0, row.email.lastIndexOf('@'));
  return { sub: row.id, email: row.email, email_verified: row.email_verified, name };
}

/** The part of the claims that the scopes of a token open. */
export function claimsWithin(claims: AccountClaims, scopes: readonly string[]): Partial<AccountClaims> {
  const names = scopes.flatMap((scope) => CLAIMS_BY_SCOPE[scope] ?? []);
  return Object.fromEntries(names.map((name) => [name, claims[name]]));
}
