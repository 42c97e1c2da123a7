import type { ClientMetadata } from 'oidc-provider';
import { isStorableText } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { applicationType } from './redirect-uris.ts';
import type { OAuthTables } from './tables.ts';

/** An application in the words of the provider; undefined when there is none with this id. */
export async function clientMetadata(executor: Executor, id: string): Promise<ClientMetadata | undefined> {
  if (!isStorableText(id)) return undefined;
  const row = await executor
    .query<OAuthTables>()
    .selectFrom('oauth_client')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const confidential = row.secret_hash !== null;
  return {
    client_id: row.id,
    client_name: row.name,
    ...(row.uri !== null && { client_uri: row.uri }),
    redirect_uris: row.redirect_uris,
    application_type: applicationType(row.redirect_uris, confidential),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    response_modes: ['query'],
    token_endpoint_auth_method: confidential ? 'client_secret_basic' : 'none',
    // Not the secret but its hash: the comparison is ours.
    ...(row.secret_hash !== null && { client_secret: row.secret_hash }),
  };
}
