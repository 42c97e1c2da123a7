import type { Transaction } from '../../platform/index.ts';
import { hashSecret, isWellFormedSecret } from '../secrets.ts';
import type { AccountLinkTable, IdentityTables, LinkKind } from '../tables.ts';

export type UsedLink = Pick<AccountLinkTable, 'id' | 'email' | 'account_id' | 'return_to'>;

/**
 * Uses a link up, if it is of this kind and still open. One statement: of any number of requests with the same link one
 * gets it. The password of a sign-up is no longer kept with it.
 */
export async function useLink(
  tx: Transaction,
  { secret, kind, now }: { readonly secret: string; readonly kind: LinkKind; readonly now: Date },
): Promise<UsedLink | null> {
  if (!isWellFormedSecret(secret, 'alm_lnk_')) return null;
  const used = await tx
    .query<IdentityTables>()
    .updateTable('account_link')
    .set({ used_at: now, password_hash: null })
    .where('secret_hash', '=', hashSecret(secret))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id', 'email', 'account_id', 'return_to'])
    .executeTakeFirst();
  return used ?? null;
}
