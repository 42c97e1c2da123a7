import type { Executor } from '../../platform/index.ts';
import { storedId } from './stored-payload.ts';
import type { OAuthTables } from './tables.ts';

export async function removeRecord(executor: Executor, model: string, id: string): Promise<void> {
  await executor
    .query<OAuthTables>()
    .deleteFrom('oauth_record')
    .where('model', '=', model)
    .where('id', '=', storedId(model, id))
    .execute();
}

export async function removeRecordsOfGrant(executor: Executor, model: string, grantId: string): Promise<void> {
  await executor
    .query<OAuthTables>()
    .deleteFrom('oauth_record')
    .where('model', '=', model)
    .where('grant_id', '=', grantId)
    .execute();
}

/** Forgets a session of the provider, so that the browser's next one begins anew. */
export async function removeProviderSession(executor: Executor, uid: string): Promise<void> {
  await executor
    .query<OAuthTables>()
    .deleteFrom('oauth_record')
    .where('model', '=', 'Session')
    .where('uid', '=', uid)
    .execute();
}
