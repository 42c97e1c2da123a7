import type { IdentityContext } from '../context.ts';
import { authenticateSession } from '../sessions/authenticate-session.ts';
import type { OAuthTables } from './tables.ts';

export interface BrowserSession {
  readonly id: string;
  readonly accountId: string;
  /** When the person signed in. */
  readonly startedAt: Date;
}

/** Our own session at a browser, which the provider's follows. */
export async function findBrowserSession(context: IdentityContext, secret: string): Promise<BrowserSession | null> {
  const account = await authenticateSession(context, secret);
  if (!account) return null;
  const { credentialId: id, accountId } = account;
  const session = await context.database
    .query<OAuthTables>()
    .selectFrom('browser_session')
    .select('created_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return session ? { id, accountId, startedAt: session.created_at } : null;
}
