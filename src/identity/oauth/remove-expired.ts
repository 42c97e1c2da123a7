import type { IdentityContext } from '../context.ts';
import { removeRetiredKeys } from './signing-keys.ts';
import type { OAuthTables } from './tables.ts';

/** What the provider keeps no longer: codes, tokens, grants and questions that are too old, and keys that sign no more. */
export async function removeExpiredOAuth({ database, clock }: IdentityContext): Promise<void> {
  await database.query<OAuthTables>().deleteFrom('oauth_record').where('expires_at', '<', clock.now()).execute();
  await removeRetiredKeys(database, clock);
}
