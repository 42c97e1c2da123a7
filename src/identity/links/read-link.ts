import type { IdentityContext } from '../context.ts';
import { hashSecret, isWellFormedSecret } from '../secrets.ts';
import type { IdentityTables, LinkKind } from '../tables.ts';
import { MAX_TRIES } from './take-try.ts';

export interface OpenLink {
  readonly kind: LinkKind;
  readonly email: string;
  readonly returnTo: string | null;
}

/** What a link is for, while it can still be used. Changes nothing: mail scanners open links, too. */
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
    .where('password_tries', '<', MAX_TRIES)
    .executeTakeFirst();
  return link ?? null;
}
