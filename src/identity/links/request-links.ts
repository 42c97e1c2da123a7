import { HOUR_MS } from '../../calendar/index.ts';
import { newId, type Transaction } from '../../platform/index.ts';
import { checkAddress } from '../accounts/email-address.ts';
import type { IdentityContext } from '../context.ts';
import { accountGone, emailAlreadyVerified } from '../faults.ts';
import { checkNewPassword, hashPassword } from '../passwords.ts';
import { checkReturnTo } from '../return-to.ts';
import { type Origin, shortenUserAgent } from '../security-events.ts';
import type { AccountLinkTable, IdentityTables, LinkKind } from '../tables.ts';

/** How long a link works. The time for a reset is short, because its link gives access to an existing account. */
const LIFETIME_MS: Record<LinkKind, number> = {
  sign_up: 24 * HOUR_MS,
  verify_email: 24 * HOUR_MS,
  reset_password: HOUR_MS,
};

export interface SignUpRequest {
  readonly email: string;
  readonly password: string;
  /** The path on this site at which the browser continues after the sign-up. */
  readonly returnTo: string | null;
  readonly origin?: Origin | undefined;
}

/**
 * Requests the email for a sign-up. The account is created only when the link in the email is confirmed with the same
 * password, so that a caller cannot register with the address of another person. The worker does everything that
 * depends on whether the address already has an account, so that the request does not reveal it.
 */
export async function requestSignUp(context: IdentityContext, request: SignUpRequest): Promise<void> {
  const email = checkAddress(request.email);
  checkNewPassword(request.password);
  if (request.returnTo !== null) checkReturnTo(request.returnTo);
  const passwordHash = await hashPassword(request.password);
  const { returnTo, origin } = request;
  await context.database.transaction((tx) =>
    requestLink(context, tx, { kind: 'sign_up', email, passwordHash, returnTo, origin }),
  );
}

/**
 * Requests the email that verifies the address of an account. Throws a fault if the address is already verified, unless
 * emails to it have bounced.
 */
export async function requestVerification(
  context: IdentityContext,
  request: { readonly accountId: string; readonly origin?: Origin | undefined },
): Promise<void> {
  const { accountId, origin } = request;
  await context.database.transaction(async (tx) => {
    const account = await tx
      .query<IdentityTables>()
      .selectFrom('account')
      .select(['email', 'email_verified', 'bounced_at'])
      .where('id', '=', accountId)
      .executeTakeFirst();
    if (!account) throw accountGone();
    if (account.email_verified && account.bounced_at === null) throw emailAlreadyVerified();
    await requestLink(context, tx, { kind: 'verify_email', email: account.email, accountId, origin });
  });
}

/**
 * Requests the email with which the owner of an account can choose a new password. Does the same for an address without an
 * account, to which the worker then sends nothing.
 */
export async function requestPasswordReset(
  context: IdentityContext,
  request: { readonly email: string; readonly origin?: Origin | undefined },
): Promise<void> {
  const email = checkAddress(request.email);
  await context.database.transaction((tx) =>
    requestLink(context, tx, { kind: 'reset_password', email, origin: request.origin }),
  );
}

interface NewLink {
  readonly kind: LinkKind;
  readonly email: string;
  readonly accountId?: string;
  readonly passwordHash?: string;
  readonly returnTo?: string | null;
  readonly origin?: Origin | undefined;
}

/** Stores a link and queues its email in one transaction. */
async function requestLink(context: IdentityContext, tx: Transaction, link: NewLink): Promise<void> {
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
    user_agent: shortenUserAgent(link.origin?.userAgent),
    secret_hash: null,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFETIME_MS[link.kind]),
    sent_at: null,
    used_at: null,
  };
}
