import type { Plan } from '../../contract/index.ts';
import type { IdentityContext } from '../context.ts';
import type { IdentityTables } from '../tables.ts';

/** An account in the list for operators. */
export interface ListedAccount {
  readonly id: string;
  readonly email: string;
  readonly plan: Plan;
  readonly administrator: boolean;
  readonly email_verified: boolean;
  readonly created_at: string;
}

/** Returns all accounts, oldest first. */
export async function listAccounts({ database }: IdentityContext): Promise<ListedAccount[]> {
  const rows = await database
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email', 'plan', 'administrator', 'email_verified', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, ...account }) => ({ ...account, created_at: created_at.toISOString() }));
}
