import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Account } from '../../access/index.ts';
import { DAY_MS } from '../../calendar/index.ts';
import { SCOPES } from '../../contract/index.ts';
import { count, newId, skipIfDiskFull, type Transaction } from '../../platform/index.ts';
import { ACCOUNT_COLUMNS, buildPrincipal, isLocked, LAST_USE_PRECISION_MS } from '../accounts/accounts.ts';
import type { IdentityContext } from '../context.ts';
import { accountLocked } from '../faults.ts';
import { isCorrectPassword } from '../passwords.ts';
import { hashSecret, isWellFormedSecret, newSecret } from '../secrets.ts';
import { type Origin, recordFailedSignIn, recordSecurityEvent, shortenUserAgent } from '../security-events.ts';
import type { AccountTable, IdentityTables } from '../tables.ts';

/** A session ends after this time, even if it is used. */
export const SESSION_LIFETIME_MS = 14 * DAY_MS;

/** A session ends if it is not used for this time, for example in a browser on a shared computer. */
export const SESSION_IDLE_MS = 7 * DAY_MS;

interface SignInRequest {
  readonly email: string;
  readonly password: string;
  readonly userAgent: string | null;
  /** The network of the request, for the account's security events. */
  readonly network?: string | null;
}

/**
 * Starts a session. Returns null if the address is unknown, the password is wrong or the account has no password. Throws
 * a fault if the account is locked, which only callers with the right password learn.
 */
export async function signIn(context: IdentityContext, request: SignInRequest): Promise<StartedSession | null> {
  let session: StartedSession | null = null;
  try {
    session = await trySignIn(context, request);
    return session;
  } finally {
    count('sign_ins_total', { outcome: session === null ? 'refused' : 'signed_in' });
  }
}

async function trySignIn(context: IdentityContext, request: SignInRequest): Promise<StartedSession | null> {
  const account = await context.database
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email', 'password_hash'])
    .where('email', '=', request.email.toLowerCase())
    .executeTakeFirst();
  const origin = { network: request.network ?? null, userAgent: request.userAgent };
  if (!(await isCorrectPassword(request.password, account?.password_hash))) {
    await recordFailedSignIn(context, request.email, origin);
    return null;
  }
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const current = account && (await lockPassword(tx, account));
    return current ? startSession(tx, current, { now, origin, by: 'password' }) : null;
  });
}

/**
 * Returns the account if its password is still the one that was checked. Locks the account until the transaction ends:
 * after a reset, which ends every session, the old password must not start another session.
 */
function lockPassword(tx: Transaction, { id, password_hash }: Pick<AccountTable, 'id' | 'password_hash'>) {
  return tx
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email'])
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .forShare()
    .executeTakeFirst();
}

export interface StartedSession {
  readonly user: { readonly id: string; readonly email: string };
  /** Must be sent in the cookie and nowhere else. */
  readonly secret: string;
  readonly expiresAt: Date;
}

/**
 * Starts a session of an authenticated account. Its id and secret are always new. Throws a fault if the account is locked.
 * Lock its row first, so that it cannot be locked in the meantime.
 */
export async function startSession(
  tx: Transaction,
  { id, email }: StartedSession['user'],
  { now, origin, by }: { readonly now: Date; readonly origin: Origin; readonly by: 'password' | 'sign_up' | 'reset' },
): Promise<StartedSession> {
  if (await isLocked(tx, id)) throw accountLocked();
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
      user_agent: shortenUserAgent(origin.userAgent),
      created_at: now,
      expires_at: expiresAt,
      last_used_at: now,
    })
    .execute();
  const details = { session_id: sessionId, by };
  await recordSecurityEvent(tx, { accountId: id, kind: 'signed_in', at: now, origin, details });
  return { user: { id, email }, secret, expiresAt };
}

/**
 * Returns the account of a session cookie, or null if the session is unknown or has ended, or the account is locked. The
 * account has every scope.
 */
export async function authenticateSession(context: IdentityContext, secret: string): Promise<Account | null> {
  if (!isWellFormedSecret(secret, 'alm_ses_')) return null;
  const now = context.clock.now();
  const row = await context.database
    .query<IdentityTables>()
    .selectFrom('browser_session')
    .innerJoin('account', 'account.id', 'browser_session.account_id')
    .select([
      'browser_session.id as session_id',
      'browser_session.expires_at',
      'browser_session.last_used_at',
      ...ACCOUNT_COLUMNS,
    ])
    .where('browser_session.secret_hash', '=', hashSecret(secret))
    .where('account.locked_at', 'is', null)
    .where(liveSessionCondition(now))
    .executeTakeFirst();
  if (!row) return null;
  const stale = new Date(now.getTime() - LAST_USE_PRECISION_MS);
  if (row.last_used_at < stale) await skipIfDiskFull(recordUse(context, row.session_id, now, stale));
  return buildPrincipal(row, {
    credential: 'session',
    credentialId: row.session_id,
    credentialExpiresAt: row.expires_at,
    scopes: SCOPES,
  });
}

/** Returns whether a session cookie is that of a locked account, and would work if the account were unlocked. */
export async function isSessionOfLocked(context: IdentityContext, secret: string): Promise<boolean> {
  if (!isWellFormedSecret(secret, 'alm_ses_')) return false;
  const row = await context.database
    .query<IdentityTables>()
    .selectFrom('browser_session')
    .innerJoin('account', 'account.id', 'browser_session.account_id')
    .select('account.id')
    .where('browser_session.secret_hash', '=', hashSecret(secret))
    .where('account.locked_at', 'is not', null)
    .where(liveSessionCondition(context.clock.now()))
    .executeTakeFirst();
  return row !== undefined;
}

async function recordUse(context: IdentityContext, sessionId: string, now: Date, stale: Date): Promise<void> {
  await context.database
    .query<IdentityTables>()
    .updateTable('browser_session')
    .set({ last_used_at: now })
    .where('id', '=', sessionId)
    // Of several concurrent requests, one writes; the others match no row.
    .where('last_used_at', '<', stale)
    .execute();
}

/** Returns the SQL condition that a session has neither expired nor been unused for too long. */
export function liveSessionCondition(now: Date) {
  return (eb: ExpressionBuilder<IdentityTables, 'browser_session'>): Expression<SqlBool> =>
    eb.and([
      eb('browser_session.expires_at', '>', now),
      eb('browser_session.last_used_at', '>', new Date(now.getTime() - SESSION_IDLE_MS)),
    ]);
}
