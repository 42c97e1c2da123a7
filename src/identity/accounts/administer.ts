import type { IdentityContext } from '../context.ts';
import { verifyAddress } from '../links/verify-address.ts';
import { checkNewPassword, hashPassword } from '../passwords.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import { requireAccount } from './find-account.ts';
import { lockAccount } from './lock-account.ts';
import { replacePassword } from './replace-password.ts';

/** Takes the word of whoever runs the service that an address is its account's own. Safe to repeat. */
export async function markVerified(
  context: IdentityContext,
  email: string,
): Promise<{ id: string; email: string; verified: true }> {
  const account = await requireAccount(context.database, email);
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    await lockAccount(tx, account.id);
    await verifyAddress(tx, { accountId: account.id, email: account.email, now });
  });
  return { ...account, verified: true };
}

/** Gives an account a password without asking for the old one; every session and every grant ends. */
export async function setPassword(
  context: IdentityContext,
  email: string,
  password: string,
): Promise<{ id: string; email: string; changed: true }> {
  checkNewPassword(password);
  const account = await requireAccount(context.database, email);
  const passwordHash = await hashPassword(password);
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    await lockAccount(tx, account.id);
    await replacePassword(tx, account, { passwordHash, keptSessionId: null, now });
    await recordSecurityEvent(tx, { accountId: account.id, kind: 'password_changed', at: now });
  });
  return { ...account, changed: true };
}
