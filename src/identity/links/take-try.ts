import type { IdentityContext } from '../context.ts';
import { hashSecret, isWellFormedSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';

/** Passwords that can be tried with one link. Whoever chose it needs fewer, and whoever guesses gets no more. */
export const MAX_TRIES = 10;

/**
 * Counts a try at the password of a sign-up, if its link is open and has one left, and hands over the hash to check it
 * against. Counted before it is checked: of any number that guess at once no more than ten are told anything.
 */
export async function takeTry(context: IdentityContext, secret: string): Promise<string | null> {
  if (!isWellFormedSecret(secret, 'alm_lnk_')) return null;
  const tried = await context.database
    .query<IdentityTables>()
    .updateTable('account_link')
    .set((eb) => ({ password_tries: eb('password_tries', '+', 1) }))
    .where('secret_hash', '=', hashSecret(secret))
    .where('kind', '=', 'sign_up')
    .where('used_at', 'is', null)
    .where('expires_at', '>', context.clock.now())
    .where('password_tries', '<', MAX_TRIES)
    .returning('password_hash')
    .executeTakeFirst();
  return tried?.password_hash ?? null;
}
