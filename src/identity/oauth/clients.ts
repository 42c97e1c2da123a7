import { Fault, isStorableText, nameProblem } from '../../contract/index.ts';
import { newId } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import { checkRedirectUris } from './redirect-uris.ts';
import type { OAuthTables } from './tables.ts';

export interface NewClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** It runs where nobody else can look, and gets a secret. */
  readonly confidential?: boolean | undefined;
  /** Its home page, which people are shown when they are asked. */
  readonly uri?: string | undefined;
}

export interface CreatedClient {
  readonly client_id: string;
  readonly client_secret?: string;
}

const NAME_LENGTH = 100;

/** Makes an application known. The secret is in the result and cannot be had again: only its hash is kept. */
export async function createClient(context: IdentityContext, client: NewClient): Promise<CreatedClient> {
  const { redirectUris, confidential = false, uri } = client;
  const name = checkedName(client.name);
  checkRedirectUris(redirectUris, confidential);
  if (uri !== undefined) checkHomePage(uri);
  const now = context.clock.now();
  const id = newId('app', now.getTime());
  const secret = confidential ? newSecret('alm_cls_') : null;
  await context.database
    .query<OAuthTables>()
    .insertInto('oauth_client')
    .values({
      id,
      name,
      uri: uri ?? null,
      redirect_uris: [...redirectUris],
      secret_hash: secret && hashSecret(secret),
      created_at: now,
    })
    .execute();
  return { client_id: id, ...(secret !== null && { client_secret: secret }) };
}

export interface ListedClient {
  readonly client_id: string;
  readonly name: string;
  readonly uri: string | null;
  readonly redirect_uris: readonly string[];
  readonly confidential: boolean;
  readonly created_at: string;
}

/** Every application, oldest first. */
export async function listClients({ database }: IdentityContext): Promise<ListedClient[]> {
  const rows = await database
    .query<OAuthTables>()
    .selectFrom('oauth_client')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    client_id: row.id,
    name: row.name,
    uri: row.uri,
    redirect_uris: row.redirect_uris,
    confidential: row.secret_hash !== null,
    created_at: row.created_at.toISOString(),
  }));
}

function checkedName(text: string): string {
  const name = text.trim();
  const isFitting = name.length >= 1 && name.length <= NAME_LENGTH;
  const problem = isFitting ? (nameProblem(name) ?? disguiseIn(name)) : `must have 1 to ${NAME_LENGTH} characters`;
  if (problem === null) return name;
  throw new Fault('INVALID_REQUEST', `name: ${problem}.`);
}

/** People are shown it when they are asked: beyond what holds for every name it must not pass for that of another. */
function disguiseIn(name: string): string | null {
  return /\p{Cf}/u.test(name) ? 'must not contain invisible characters' : null;
}

function checkHomePage(uri: string): void {
  const url = URL.canParse(uri) && isStorableText(uri) ? new URL(uri) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || uri.length > 2_000) {
    throw new Fault('INVALID_REQUEST', 'uri: must be an https or http address of up to 2000 characters.');
  }
}
