import type { Account } from '../../access/index.ts';
import { SCOPES } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { ACCOUNT_COLUMNS, accountPrincipal } from '../account-principal.ts';
import type { IdentityTables } from '../tables.ts';

/**
 * An account for whom something is done while it is not there: what it asked for before, as far as it may have that now.
 * No credential bounds it. Null: there is no such account any more.
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
  return accountPrincipal(row, noCredential);
}
