import { lockAccount } from '../accounts/lock-account.ts';
import { replacePassword } from '../accounts/replace-password.ts';
import type { IdentityContext } from '../context.ts';
import { checkNewPassword, hashPassword } from '../passwords.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import { type SignIn, startSession } from '../sessions/start-session.ts';
import { findOpenLink } from './read-link.ts';
import type { Redeemer } from './redeem-sign-up.ts';
import { useLink } from './use-link.ts';
import { verifyAddress } from './verify-address.ts';

/**
 * Gives the account a new password and signs this browser in; every other session, and whatever applications were
 * granted, ends. The link came by mail, so the address is verified by it. Null when the link is not good any more.
 */
export async function redeemReset(
  context: IdentityContext,
  secret: string,
  { password, userAgent, network = null }: Redeemer & { readonly password: string },
): Promise<SignIn | null> {
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
