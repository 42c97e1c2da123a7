import type { Transaction } from '../../platform/index.ts';
import type { IdentityTables } from '../tables.ts';

interface Closing {
  readonly email: string;
  readonly now: Date;
}

/**
 * Closes the account's open links of the given kinds, including those whose email has not been sent yet. Lock the
 * account first, so that two transactions cannot wait for each other.
 */
export async function closeAccountLinks(
  tx: Transaction,
  { email, now, kinds }: Closing & { readonly kinds: readonly ('verify_email' | 'reset_password')[] },
): Promise<void> {
  await tx
    .query<IdentityTables>()
    .updateTable('account_link')
    .set({ used_at: now })
    .where('email', '=', email)
    .where('kind', 'in', kinds)
    .where('used_at', 'is', null)
    .execute();
}

/**
 * Closes the other sign-ups of an address that now has an account, and removes their password hashes. Skips a sign-up
 * that is being confirmed at the same time, because the transactions would wait for each other. That sign-up will find
 * the address taken.
 */
export async function closeSignUps(tx: Transaction, { email, now }: Closing): Promise<void> {
  await tx
    .query<IdentityTables>()
    .updateTable('account_link')
    .set({ used_at: now, password_hash: null })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('account_link')
        .select('id')
        .where('email', '=', email)
        .where('kind', '=', 'sign_up')
        .where('used_at', 'is', null)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}
