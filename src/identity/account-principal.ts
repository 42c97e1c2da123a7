import type { Account } from '../access/index.ts';
import type { AccountTable } from './tables.ts';

/** What every credential's lookup reads of its account. */
export const ACCOUNT_COLUMNS = [
  'account.id as account_id',
  'account.email',
  'account.email_verified',
  'account.plan',
  'account.administrator',
] as const;

type AccountRow = Pick<AccountTable, 'email' | 'email_verified' | 'plan' | 'administrator'> & { account_id: string };

/** The caller behind a credential that was found good. */
export function accountPrincipal(
  row: AccountRow,
  credential: Pick<Account, 'credential' | 'credentialId' | 'credentialExpiresAt' | 'standsOn' | 'scopes'>,
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
