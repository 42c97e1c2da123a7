import type { IdentityContext } from './context.ts';
import type { IdentityTables } from './tables.ts';

/** Browser sessions that nobody can use any more. Guests stay: what they made refers to them. */
export async function removeExpiredSessions(context: IdentityContext): Promise<void> {
  await context.database
    .query<IdentityTables>()
    .deleteFrom('browser_session')
    .where('expires_at', '<', context.clock.now())
    .execute();
}
