import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { IdentityTables } from '../tables.ts';

/** However much it is used, a session ends after this long. */
export const SESSION_LIFETIME_MS = 14 * 24 * 3_600_000;

/** A session that nobody used for this long has ended: a browser forgotten at a friend's. */
export const SESSION_IDLE_MS = 7 * 24 * 3_600_000;

/** The condition that a session still runs: neither expired nor left alone for too long. */
export function isLiveSession(now: Date) {
  return (eb: ExpressionBuilder<IdentityTables, 'browser_session'>): Expression<SqlBool> =>
    eb.and([
      eb('browser_session.expires_at', '>', now),
      eb('browser_session.last_used_at', '>', new Date(now.getTime() - SESSION_IDLE_MS)),
    ]);
}
