import { insertAccount } from '../accounts/insert-account.ts';
import type { IdentityContext } from '../context.ts';
import { verifyPassword } from '../passwords.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import { type SignIn, startSession } from '../sessions/start-session.ts';
import { closeSignUps } from './close-links.ts';
import { takeTry } from './take-try.ts';
import { useLink } from './use-link.ts';

/** Who confirms a link, for the session and the account's list of events. */
export interface Redeemer {
  readonly userAgent: string | null;
  readonly network?: string | null;
}

export type SignUpSession = SignIn & { readonly returnTo: string | null };

/**
 * Makes the account that a sign-up asked for, with its address verified, and signs it in. The link proves the mailbox
 * and the password that it was this person who signed up: somebody else's sign-up with the address, confirmed by
 * mistake, would be an account whose password a stranger knows. A wrong password leaves the link as it is, ten times.
 * Null when the link is not good any more, or its address has got an account meanwhile.
 */
export async function redeemSignUp(
  context: IdentityContext,
  secret: string,
  { password, userAgent, network = null }: Redeemer & { readonly password: string },
): Promise<SignUpSession | 'wrong_password' | null> {
  const passwordHash = await takeTry(context, secret);
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
