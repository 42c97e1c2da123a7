import { newId } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { pretendToVerify, verifyPassword } from '../passwords.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';

export const SESSION_LIFETIME_MS = 14 * 24 * 3_600_000;

export interface SignIn {
  readonly user: { readonly id: string; readonly email: string };
  /** Goes into the cookie, and nowhere else. */
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Starts a session for the right password; null for a wrong one, an unknown address or an account without one. */
export async function signIn(
  context: IdentityContext,
  request: { email: string; password: string; userAgent: string | null },
): Promise<SignIn | null> {
  const account = await context.database
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email', 'password_hash'])
    .where('email', '=', request.email.toLowerCase())
    .executeTakeFirst();
  if (!account?.password_hash) {
    await pretendToVerify(request.password);
    return null;
  }
  if (!(await verifyPassword(request.password, account.password_hash))) return null;
  const now = context.clock.now();
  const secret = newSecret('alm_ses_');
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS);
  await context.database
    .query<IdentityTables>()
    .insertInto('browser_session')
    .values({
      id: newId('ses', now.getTime()),
      account_id: account.id,
      secret_hash: hashSecret(secret),
      user_agent: request.userAgent?.slice(0, 300) ?? null,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { user: { id: account.id, email: account.email }, secret, expiresAt };
}
