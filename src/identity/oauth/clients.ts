import { findNameProblem, isStorableText } from '../../contract/index.ts';
import { newId, removeInvisible, type Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { invalidClientName, invalidHomePage } from '../faults.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import { recordSecurityEvents } from '../security-events.ts';
import { checkRedirectUris } from './redirect-uris.ts';
import type { OAuthTables } from './tables.ts';

export interface NewClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Whether the client can keep a secret, for example on a server. It then gets one. */
  readonly confidential?: boolean | undefined;
  /** The application's home page, shown on the consent page. */
  readonly uri?: string | undefined;
}

export interface CreatedClient {
  readonly client_id: string;
  readonly client_secret?: string;
}

export const MAX_NAME_LENGTH = 100;

/** Registers an application. Only the hash of the secret is stored, so the result is the only way to get the secret. */
export async function createClient(context: IdentityContext, client: NewClient): Promise<CreatedClient> {
  const { redirectUris, confidential = false, uri } = client;
  const name = checkName(client.name);
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

/** Returns every client, oldest first. */
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

/**
 * Removes a client and ends its grants immediately, with a security event for each account that had authorized it.
 * Returns false for an unknown id.
 */
export async function removeClient({ database, clock }: IdentityContext, id: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const db = tx.query<OAuthTables>();
    // The lock keeps new grants from being stored in the meantime.
    const client = await db
      .selectFrom('oauth_client')
      .select(['id', 'name'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!client) return false;
    await recordEndedGrants(tx, client, clock.now());
    await db.deleteFrom('oauth_client').where('id', '=', id).execute();
    return true;
  });
}

async function recordEndedGrants(
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
    // The lock ensures that a grant that its account revokes at the same time is recorded only once.
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

function checkName(text: string): string {
  const name = text.trim();
  const hasFittingLength = name.length >= 1 && name.length <= MAX_NAME_LENGTH;
  const problem = hasFittingLength
    ? (findNameProblem(name) ?? findDisguise(name))
    : `must have 1 to ${MAX_NAME_LENGTH} characters`;
  if (problem === null) return name;
  throw invalidClientName(problem);
}

/**
 * Returns what is wrong with the name of an application, or null. The rule is stricter than for other names, so that no
 * application can look like another on the consent page.
 */
function findDisguise(name: string): string | null {
  return removeInvisible(name) === name ? null : 'must not contain invisible characters';
}

const MAX_HOME_PAGE_LENGTH = 2_000;

function checkHomePage(uri: string): void {
  const url = URL.canParse(uri) && isStorableText(uri) ? new URL(uri) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || uri.length > MAX_HOME_PAGE_LENGTH) {
    throw invalidHomePage(MAX_HOME_PAGE_LENGTH);
  }
}
