import type { Executor } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret } from '../secrets.ts';
import { type Origin, recordSecurityEvent } from '../security-events.ts';
import type { BrowserSessionTable, IdentityTables } from '../tables.ts';
import { liveSessionCondition } from './browser-sessions.ts';

export type ListedSession = Pick<
  BrowserSessionTable,
  'id' | 'user_agent' | 'created_at' | 'expires_at' | 'last_used_at'
>;

/** Returns the live sessions of an account, newest first. */
export async function listSessions(context: IdentityContext, accountId: string): Promise<ListedSession[]> {
  return context.database
    .query<IdentityTables>()
    .selectFrom('browser_session')
    .select(['id', 'user_agent', 'created_at', 'expires_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where(liveSessionCondition(context.clock.now()))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
}

/** Ends the session that a secret belongs to. Does nothing if the session is unknown. */
export async function endSession(context: IdentityContext, secret: string, origin?: Origin): Promise<void> {
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    const ended = await tx
      .query<IdentityTables>()
      .deleteFrom('browser_session')
      .where('secret_hash', '=', hashSecret(secret))
      .returning(['id', 'account_id'])
      .executeTakeFirst();
    if (!ended) return;
    const details = { session_id: ended.id };
    await recordSecurityEvent(tx, { accountId: ended.account_id, kind: 'signed_out', at: now, origin, details });
  });
}

/** Ends a live session of an account, which can be of any browser. Returns false if there is no such session. */
export async function endSessionById(
  context: IdentityContext,
  accountId: string,
  sessionId: string,
  origin?: Origin,
): Promise<boolean> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const ended = await tx
      .query<IdentityTables>()
      .deleteFrom('browser_session')
      .where('account_id', '=', accountId)
      .where('id', '=', sessionId)
      .where(liveSessionCondition(now))
      .returning('id')
      .executeTakeFirst();
    if (!ended) return false;
    const details = { session_id: sessionId };
    await recordSecurityEvent(tx, { accountId, kind: 'session_ended', at: now, origin, details });
    return true;
  });
}

/** Ends every live session of an account except `keptSessionId`. Returns the number of sessions that it ended. */
export async function endOtherSessions(
  context: IdentityContext,
  accountId: string,
  keptSessionId: string | null,
  origin?: Origin,
): Promise<number> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const ended = await removeSessions(tx, { accountId, keptSessionId, now });
    const details = { count: String(ended) };
    if (ended > 0) await recordSecurityEvent(tx, { accountId, kind: 'sessions_ended', at: now, origin, details });
    return ended;
  });
}

/**
 * Removes the live sessions of an account. The calling function must record the event. Returns the number of sessions.
 */
export async function removeSessions(
  executor: Executor,
  { accountId, keptSessionId, now }: { accountId: string; keptSessionId: string | null; now: Date },
): Promise<number> {
  let deletion = executor
    .query<IdentityTables>()
    .deleteFrom('browser_session')
    .where('account_id', '=', accountId)
    .where(liveSessionCondition(now));
  if (keptSessionId !== null) deletion = deletion.where('id', '!=', keptSessionId);
  return (await deletion.returning('id').execute()).length;
}
