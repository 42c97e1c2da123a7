import type { IdentityContext } from './context.ts';
import type { IdentityTables } from './tables.ts';

/** Browser and guest sessions that nobody can use any more. */
export async function removeExpiredSessions(context: IdentityContext): Promise<void> {
  const now = context.clock.now();
  const db = context.database.query<IdentityTables>();
  await db.deleteFrom('browser_session').where('expires_at', '<', now).execute();
  await db.deleteFrom('guest_session').where('expires_at', '<', now).execute();
}
