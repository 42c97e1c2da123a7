import { newId, type Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import type { Origin } from '../security-events/origin.ts';
import { shortAgent } from '../security-events/record-event.ts';
import type { AccountLinkTable, IdentityTables, LinkKind } from '../tables.ts';

const HOUR = 3_600_000;

/** How long a link works. A reset is short: it opens an account that exists. */
const LIFETIME_MS: Record<LinkKind, number> = {
  sign_up: 24 * HOUR,
  verify_email: 24 * HOUR,
  reset_password: HOUR,
};

export interface NewLink {
  readonly kind: LinkKind;
  readonly email: string;
  readonly accountId?: string;
  readonly passwordHash?: string;
  readonly returnTo?: string | null;
  readonly origin?: Origin | undefined;
}

/** Keeps a link and has its mail sent, or neither. */
export async function requestLink(context: IdentityContext, tx: Transaction, link: NewLink): Promise<void> {
  const row = linkRow(link, context.clock.now());
  await tx.query<IdentityTables>().insertInto('account_link').values(row).execute();
  await context.requestMail(tx, row.id);
}

function linkRow(link: NewLink, now: Date): AccountLinkTable {
  return {
    id: newId('lnk', now.getTime()),
    kind: link.kind,
    email: link.email,
    account_id: link.accountId ?? null,
    password_hash: link.passwordHash ?? null,
    password_tries: 0,
    return_to: link.returnTo ?? null,
    network: link.origin?.network ?? null,
    user_agent: shortAgent(link.origin?.userAgent),
    secret_hash: null,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFETIME_MS[link.kind]),
    sent_at: null,
    used_at: null,
  };
}
