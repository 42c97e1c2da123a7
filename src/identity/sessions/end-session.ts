import type { Executor } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret } from '../secrets.ts';
import type { Origin } from '../security-events/origin.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import type { IdentityTables } from '../tables.ts';
import { isLiveSession } from './live-session.ts';

/** Ends the session of a cookie. An unknown one is nothing to end. */
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

/** Ends one running session of an account, wherever its browser is. False when there is no such session. */
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
      .where(isLiveSession(now))
      .returning('id')
      .executeTakeFirst();
    if (!ended) return false;
    const details = { session_id: sessionId };
    await recordSecurityEvent(tx, { accountId, kind: 'session_ended', at: now, origin, details });
    return true;
  });
}

/** Ends every session of an account but one; says how many were still running. */
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

/** The same as a part of something larger, which has an event of its own. */
export async function removeSessions(
  executor: Executor,
  { accountId, keptSessionId, now }: { accountId: string; keptSessionId: string | null; now: Date },
): Promise<number> {
  let deletion = executor
    .query<IdentityTables>()
    .deleteFrom('browser_session')
    .where('account_id', '=', accountId)
    .where(isLiveSession(now));
  if (keptSessionId !== null) deletion = deletion.where('id', '!=', keptSessionId);
  return (await deletion.returning('id').execute()).length;
}
