import { DAY_MS } from '../calendar/index.ts';
import { oldRows, type Removal } from '../platform/index.ts';
import type { IdentityContext } from './context.ts';
import { SESSION_IDLE_MS } from './sessions/browser-sessions.ts';
import type { IdentityTables } from './tables.ts';

/** Removes browser sessions that have expired or were unused for too long. */
export async function removeExpiredSessions(context: IdentityContext): Promise<void> {
  const now = context.clock.now();
  const db = context.database.query<IdentityTables>();
  const idle = new Date(now.getTime() - SESSION_IDLE_MS);
  await db
    .deleteFrom('browser_session')
    .where((eb) => eb.or([eb('expires_at', '<', now), eb('last_used_at', '<', idle)]))
    .execute();
}

/** Removes links that expired more than a day ago. Recent ones are kept, because their emails count toward the limits. */
export async function removeExpiredLinks(context: IdentityContext): Promise<void> {
  const dayAgo = new Date(context.clock.now().getTime() - DAY_MS);
  await context.database.query<IdentityTables>().deleteFrom('account_link').where('expires_at', '<', dayAgo).execute();
}

/** Returns the removal of old security events. */
export function oldSecurityEvents(days: number | null, now: Date): Removal[] {
  return oldRows({ kind: 'security_events', table: 'security_event', column: 'at', days, now });
}
