import type { IdentityContext } from './context.ts';
import { SESSION_IDLE_MS } from './sessions/live-session.ts';
import type { IdentityTables } from './tables.ts';

const DAY = 24 * 3_600_000;

/** How long what happened to an account can be looked up. */
const EVENTS_KEPT_MS = 400 * DAY;

/** Browser and guest sessions that nobody can use any more. */
export async function removeExpiredSessions(context: IdentityContext): Promise<void> {
  const now = context.clock.now();
  const db = context.database.query<IdentityTables>();
  const idle = new Date(now.getTime() - SESSION_IDLE_MS);
  await db
    .deleteFrom('browser_session')
    .where((eb) => eb.or([eb('expires_at', '<', now), eb('last_used_at', '<', idle)]))
    .execute();
  await db.deleteFrom('guest_session').where('expires_at', '<', now).execute();
}

/** Links that stopped working a day ago. Until then they still count as mails that were sent to an address. */
export async function removeExpiredLinks(context: IdentityContext): Promise<void> {
  const dayAgo = new Date(context.clock.now().getTime() - DAY);
  await context.database.query<IdentityTables>().deleteFrom('account_link').where('expires_at', '<', dayAgo).execute();
}

export async function removeOldSecurityEvents(context: IdentityContext): Promise<void> {
  const oldest = new Date(context.clock.now().getTime() - EVENTS_KEPT_MS);
  await context.database.query<IdentityTables>().deleteFrom('security_event').where('at', '<', oldest).execute();
}
