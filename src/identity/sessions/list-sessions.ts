import type { IdentityContext } from '../context.ts';
import type { BrowserSessionTable, IdentityTables } from '../tables.ts';

export type ListedSession = Pick<BrowserSessionTable, 'id' | 'user_agent' | 'created_at' | 'expires_at'>;

/** The running sessions of an account, newest first. */
export async function listSessions(context: IdentityContext, accountId: string): Promise<ListedSession[]> {
  return context.database
    .query<IdentityTables>()
    .selectFrom('browser_session')
    .select(['id', 'user_agent', 'created_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', context.clock.now())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
}
