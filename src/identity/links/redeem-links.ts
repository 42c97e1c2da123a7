import { lockAccount } from '../accounts/accounts.ts';
import { replacePassword } from '../accounts/change-password.ts';
import { insertAccount } from '../accounts/create-account.ts';
import { verifyAddress } from '../accounts/email-address.ts';
import type { IdentityContext } from '../context.ts';
import { checkNewPassword, hashPassword, verifyPassword } from '../passwords.ts';
import { type Origin, recordSecurityEvent } from '../security-events.ts';
import { type StartedSession, startSession } from '../sessions/browser-sessions.ts';
import { closeSignUps } from './close-links.ts';
import { countPasswordTry, findOpenLink, useLink } from './use-link.ts';

/** The origin of the request to use a link, for the session and the account's security events. */
export interface RedeemRequest {
  readonly userAgent: string | null;
  readonly network?: string | null;
}

export type SignUpSession = StartedSession & { readonly returnTo: string | null };

/**
 * Creates the account of a sign-up, with its address verified, and signs it in. The link proves that the person can
 * read the mailbox, and the password proves that the same person signed up. Otherwise the owner of the address could
 * confirm the sign-up of a stranger by mistake, and the stranger would know the password. A link accepts ten password
 * tries. Returns null if the link is no longer valid or the address now has an account.
 */
export async function redeemSignUp(
  context: IdentityContext,
  secret: string,
  { password, userAgent, network = null }: RedeemRequest & { readonly password: string },
): Promise<SignUpSession | 'wrong_password' | null> {
  const passwordHash = await countPasswordTry(context, secret);
  if (passwordHash === null) return null;
  if (!(await verifyPassword(password, passwordHash))) return 'wrong_password';
  const now = context.clock.now();
  const origin = { network, userAgent };
  return context.database.transaction(async (tx) => {
    const link = await useLink(tx, { secret, kind: 'sign_up', now });
    if (!link) return null;
    const { email } = link;
    const traits = { email, plan: 'free', administrator: false, verified: true, passwordHash, origin } as const;
    const account = await insertAccount(context, tx, traits);
    if (!account) return null;
    await closeSignUps(tx, { email, now });
    await recordSecurityEvent(tx, { accountId: account.id, kind: 'email_verified', at: now, origin });
    const session = await startSession(tx, account, { now, origin, by: 'sign_up' });
    return { ...session, returnTo: link.return_to };
  });
}

/** Verifies an address: the link proves that the person can read the mailbox. Returns null if the link is invalid. */
export async function redeemVerification(
  context: IdentityContext,
  secret: string,
  origin?: Origin,
): Promise<{ email: string } | null> {
  const found = await findOpenLink(context, secret);
  const accountId = found?.account_id;
  if (!accountId) return null;
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    // The account is locked first, as in every transaction, because different orders could deadlock.
    await lockAccount(tx, accountId);
    const link = await useLink(tx, { secret, kind: 'verify_email', now });
    if (!link) return null;
    const { email } = link;
    return (await verifyAddress(tx, { accountId, email, now, origin })) ? { email } : null;
  });
}

/**
 * Sets a new password and signs this browser in. Every other session and every grant ends. The link was mailed, so
 * using it also verifies the address. Returns null if the link is no longer valid.
 */
export async function redeemReset(
  context: IdentityContext,
  secret: string,
  { password, userAgent, network = null }: RedeemRequest & { readonly password: string },
): Promise<StartedSession | null> {
  checkNewPassword(password);
  const found = await findOpenLink(context, secret);
  if (found?.kind !== 'reset_password' || found.account_id === null) return null;
  const accountId = found.account_id;
  const passwordHash = await hashPassword(password);
  const now = context.clock.now();
  const origin = { network, userAgent };
  return context.database.transaction(async (tx) => {
    const account = await lockAccount(tx, accountId);
    const link = account && (await useLink(tx, { secret, kind: 'reset_password', now }));
    if (!link || link.email !== account.email) return null;
    await replacePassword(tx, account, { passwordHash, keptSessionId: null, now });
    await verifyAddress(tx, { accountId, email: account.email, now, origin });
    await recordSecurityEvent(tx, { accountId, kind: 'password_reset', at: now, origin });
    return startSession(tx, account, { now, origin, by: 'reset' });
  });
}
