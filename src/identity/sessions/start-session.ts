import { newId, type Transaction } from '../../platform/index.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import type { Origin } from '../security-events/origin.ts';
import { recordSecurityEvent, shortAgent } from '../security-events/record-event.ts';
import type { IdentityTables } from '../tables.ts';
import { SESSION_LIFETIME_MS } from './live-session.ts';

export interface SignIn {
  readonly user: { readonly id: string; readonly email: string };
  /** Goes into the cookie, and nowhere else. */
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Starts a session of an account that has proved who it is, always under a new id. */
export async function startSession(
  tx: Transaction,
  { id, email }: SignIn['user'],
  { now, origin, by }: { readonly now: Date; readonly origin: Origin; readonly by: 'password' | 'sign_up' | 'reset' },
): Promise<SignIn> {
  const secret = newSecret('alm_ses_');
  const sessionId = newId('ses', now.getTime());
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS);
  await tx
    .query<IdentityTables>()
    .insertInto('browser_session')
    .values({
      id: sessionId,
      account_id: id,
      secret_hash: hashSecret(secret),
      user_agent: shortAgent(origin.userAgent),
      created_at: now,
      expires_at: expiresAt,
      last_used_at: now,
    })
    .execute();
  const details = { session_id: sessionId, by };
  await recordSecurityEvent(tx, { accountId: id, kind: 'signed_in', at: now, origin, details });
  return { user: { id, email }, secret, expiresAt };
}
