import { DAY_MS } from '../calendar/index.ts';
import type { IdentityContext } from './context.ts';
import { SESSION_IDLE_MS } from './sessions/browser-sessions.ts';
import type { IdentityTables } from './tables.ts';

/** How long security events are kept. */
const EVENTS_KEPT_MS = 400 * DAY_MS;

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

export async function removeOldSecurityEvents(context: IdentityContext): Promise<void> {
  const oldest = new Date(context.clock.now().getTime() - EVENTS_KEPT_MS);
  await context.database.query<IdentityTables>().deleteFrom('security_event').where('at', '<', oldest).execute();
}
