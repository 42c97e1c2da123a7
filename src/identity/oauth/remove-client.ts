import type { Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { recordSecurityEvents } from '../security-events/record-event.ts';
import type { OAuthTables } from './tables.ts';

/**
 * Removes an application with all that was granted to it, at once, and notes it with everybody who had let it in. False
 * when there is none with this id.
 */
export async function removeClient({ database, clock }: IdentityContext, id: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const db = tx.query<OAuthTables>();
    // Locked, it is granted nothing new meanwhile.
    const client = await db
      .selectFrom('oauth_client')
      .select(['id', 'name'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!client) return false;
    await noteEndOfGrants(tx, client, clock.now());
    await db.deleteFrom('oauth_client').where('id', '=', id).execute();
    return true;
  });
}

async function noteEndOfGrants(
  tx: Transaction,
  client: { readonly id: string; readonly name: string },
  now: Date,
): Promise<void> {
  const grants = await tx
    .query<OAuthTables>()
    .selectFrom('oauth_record')
    .select(['id', 'account_id'])
    .where('client_id', '=', client.id)
    .where('model', '=', 'Grant')
    .where('account_id', 'is not', null)
    .where('expires_at', '>', now)
    // One that its owner ends at this moment is noted once.
    .forUpdate()
    .$narrowType<{ account_id: string }>()
    .execute();
  await recordSecurityEvents(
    tx,
    grants.map((grant) => ({
      accountId: grant.account_id,
      kind: 'grant_revoked',
      at: now,
      details: { grant_id: grant.id, client: client.name },
    })),
  );
}
