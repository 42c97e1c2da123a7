import { json, type Transaction } from '../../platform/index.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import type { IdentityContext } from '../context.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import { isLiveSession } from '../sessions/live-session.ts';
import type { IdentityTables } from '../tables.ts';
import type { Asking } from './asking.ts';
import type { NewRecord } from './records.ts';
import type { OAuthTables } from './tables.ts';

/**
 * Keeps a grant that a person has just given, and notes it. The same one again, from a second click, is nothing new;
 * one from a session that has ended meanwhile is none.
 */
export async function saveGrant(context: IdentityContext, grant: NewRecord, by: Asking = {}): Promise<void> {
  const { account_id: accountId, client_id: clientId } = grant;
  if (accountId === null || clientId === null) throw new Error('A grant is of somebody, to somebody.');
  await context.database.transaction(async (tx) => {
    // A new password ends sessions and grants under the same lock: a grant from before it must not come after it.
    await lockAccount(tx, accountId);
    if (by.sessionId !== undefined && !(await isRunning(tx, by.sessionId, grant.created_at))) return;
    const db = tx.query<OAuthTables>();
    const given = await db
      .insertInto('oauth_record')
      .values({ ...grant, payload: json(grant.payload), consumed_at: null, last_used_at: null })
      .onConflict((conflict) => conflict.columns(['model', 'id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!given) return;
    const client = await db.selectFrom('oauth_client').select('name').where('id', '=', clientId).executeTakeFirst();
    await recordSecurityEvent(tx, {
      accountId,
      kind: 'client_authorized',
      at: grant.created_at,
      origin: by.origin,
      details: { grant_id: grant.id, client: client?.name ?? clientId },
    });
  });
}

async function isRunning(tx: Transaction, sessionId: string, now: Date): Promise<boolean> {
  const session = await tx
    .query<IdentityTables>()
    .selectFrom('browser_session')
    .select('id')
    .where('id', '=', sessionId)
    .where(isLiveSession(now))
    .executeTakeFirst();
  return session !== undefined;
}
