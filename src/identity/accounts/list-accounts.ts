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
  readonly locked: boolean;
  readonly created_at: string;
}

/** Returns all accounts, oldest first. */
export async function listAccounts({ database }: IdentityContext): Promise<ListedAccount[]> {
  const rows = await database
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email', 'plan', 'administrator', 'email_verified', 'locked_at', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ locked_at, created_at, ...account }) => ({
    ...account,
    locked: locked_at !== null,
    created_at: created_at.toISOString(),
  }));
}
