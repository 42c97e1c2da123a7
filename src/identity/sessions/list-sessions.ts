import type { IdentityContext } from '../context.ts';
import type { BrowserSessionTable, IdentityTables } from '../tables.ts';
import { isLiveSession } from './live-session.ts';

export type ListedSession = Pick<
  BrowserSessionTable,
  'id' | 'user_agent' | 'created_at' | 'expires_at' | 'last_used_at'
>;

/** The running sessions of an account, newest first. */
export async function listSessions(context: IdentityContext, accountId: string): Promise<ListedSession[]> {
  return context.database
    .query<IdentityTables>()
    .selectFrom('browser_session')
    .select(['id', 'user_agent', 'created_at', 'expires_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where(isLiveSession(context.clock.now()))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
}
