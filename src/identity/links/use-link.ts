import type { Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret, isWellFormedSecret } from '../secrets.ts';
import type { AccountLinkTable, IdentityTables, LinkKind } from '../tables.ts';

/**
 * Number of passwords that can be tried with one link: enough for the person who chose the password, too few to guess
 * it.
 */
const MAX_PASSWORD_TRIES = 10;

export interface OpenLink {
  readonly kind: LinkKind;
  readonly email: string;
  readonly returnTo: string | null;
}

/** Returns a link that can still be used, or null. Does not use the link, because programs that scan emails open links. */
export async function readLink(context: IdentityContext, secret: string): Promise<OpenLink | null> {
  const link = await findOpenLink(context, secret);
  return link && { kind: link.kind, email: link.email, returnTo: link.return_to };
}

export async function findOpenLink(context: IdentityContext, secret: string) {
  if (!isWellFormedSecret(secret, 'alm_lnk_')) return null;
  const link = await context.database
    .query<IdentityTables>()
    .selectFrom('account_link')
    .select(['kind', 'email', 'return_to', 'account_id'])
    .where('secret_hash', '=', hashSecret(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', context.clock.now())
    .where('password_tries', '<', MAX_PASSWORD_TRIES)
    .executeTakeFirst();
  return link ?? null;
}

/**
 * Counts a password try for the link of a sign-up, if the link is open and has a try left. Returns the hash to check the
 * password against, otherwise null. Counting before the check keeps concurrent guesses within the limit.
 */
export async function countPasswordTry(context: IdentityContext, secret: string): Promise<string | null> {
  if (!isWellFormedSecret(secret, 'alm_lnk_')) return null;
  const counted = await context.database
    .query<IdentityTables>()
    .updateTable('account_link')
    .set((eb) => ({ password_tries: eb('password_tries', '+', 1) }))
    .where('secret_hash', '=', hashSecret(secret))
    .where('kind', '=', 'sign_up')
    .where('used_at', 'is', null)
    .where('expires_at', '>', context.clock.now())
    .where('password_tries', '<', MAX_PASSWORD_TRIES)
    .returning('password_hash')
    .executeTakeFirst();
  return counted?.password_hash ?? null;
}

type UsedLink = Pick<AccountLinkTable, 'id' | 'email' | 'account_id' | 'return_to'>;

/**
 * Marks a link of this kind as used, if it is still open, and removes the password hash of a sign-up from it. It is one
 * statement, so only one of several concurrent requests succeeds.
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
