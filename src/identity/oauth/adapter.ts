import type { Adapter, AdapterPayload, ClientMetadata } from 'oidc-provider';
import { isStorableText } from '../../contract/index.ts';
import { type Executor, isRetryableConflict, isUnavailable, json, type Transaction } from '../../platform/index.ts';
import { lockAccount } from '../accounts/accounts.ts';
import type { IdentityContext } from '../context.ts';
import { recordSecurityEvent } from '../security-events.ts';
import { liveSessionCondition } from '../sessions/browser-sessions.ts';
import type { IdentityTables } from '../tables.ts';
import { deriveApplicationType, isDocumentId } from './configuration.ts';
import { endGrant } from './grants.ts';
import { type DocumentClient, type RequestScope, requestScope } from './oauth.ts';
import {
  consumeRecord,
  findGrantId,
  findRecord,
  findRecordByUid,
  type NewRecord,
  newRecord,
  removeRecord,
  removeRecordsOfGrant,
  saveInteraction,
  saveRecord,
} from './records.ts';
import type { OAuthTables } from './tables.ts';

interface AdapterParts {
  readonly context: IdentityContext;
  /** Creates the error with which the provider rejects a code or a token. */
  readonly invalidGrant: (detail: string) => Error;
  /** Creates the error with which the provider reports that the database is unavailable. */
  readonly unavailable: (cause: unknown) => Error;
}

/** Creates the adapter through which the provider stores its records in the database of the service. */
export function createAdapter(parts: AdapterParts): (model: string) => Adapter {
  return (model) => (model === 'Client' ? clientAdapter(parts) : recordAdapter(parts, model));
}

function recordAdapter({ context, invalidGrant, unavailable }: AdapterParts, model: string): Adapter {
  const { database, clock } = context;
  const attempt = reportUnavailable(unavailable);
  return {
    upsert: (id, payload, expiresIn = 0) =>
      attempt(() => {
        const record = newRecord(clock.now(), model, id, { ...payload }, expiresIn);
        const scope = requestScope.getStore();
        if (model === 'Grant') return saveGrant(context, record, scope);
        return model === 'Interaction'
          ? saveInteraction(database, record, scope?.origin)
          : saveRecord(database, record);
      }),
    find: (id) => attempt(() => findRecord(database, model, id)) as Promise<AdapterPayload | undefined>,
    findByUid: (uid) => attempt(() => findRecordByUid(database, model, uid)) as Promise<AdapterPayload | undefined>,
    findByUserCode: async () => undefined,
    destroy: (id) => attempt(() => removeRecord(database, model, id)),
    revokeByGrantId: (grantId) => attempt(() => removeRecordsOfGrant(database, model, grantId)),
    // The provider reads a record before it consumes it. Of several concurrent requests, all but one fail here.
    consume: (id) =>
      attempt(async () => {
        if (await consumeRecord(context, model, id)) return;
        const grantId = await findGrantId(database, model, id);
        if (grantId !== null)
          await endGrant(context, grantId, { kind: 'token_reuse_detected', origin: requestScope.getStore()?.origin });
        throw invalidGrant(`${model} used by two requests at the same time`);
      }),
  };
}

/**
 * Creates the adapter for clients. The command line creates and removes them, except those that a document describes:
 * the provider reads the document if this adapter does not find the client, and consent stores the client.
 */
function clientAdapter({ context, unavailable }: AdapterParts): Adapter {
  const refuse = async () => {
    throw new Error('The provider does not change clients.');
  };
  return {
    find: async (id) => {
      if (isDocumentId(id) && !requestScope.getStore()?.usesStoredClients) return undefined;
      const metadata = await reportUnavailable(unavailable)(() => readClientMetadata(context.database, id));
      return metadata as AdapterPayload | undefined;
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    upsert: refuse,
    destroy: refuse,
    consume: refuse,
    revokeByGrantId: refuse,
  };
}

/** Turns the error of an unavailable or busy database into an error after which clients try again. */
function reportUnavailable(unavailable: (cause: unknown) => Error) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw isUnavailable(error) || isRetryableConflict(error) ? unavailable(error) : error;
    }
  };
}

/** Returns a client in the format of the provider, or undefined if the id is unknown. */
export async function readClientMetadata(executor: Executor, id: string): Promise<ClientMetadata | undefined> {
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
    application_type: deriveApplicationType(row.redirect_uris, confidential),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    response_modes: ['query'],
    token_endpoint_auth_method: confidential ? 'client_secret_basic' : 'none',
    // The hash takes the place of the secret, because `compareSecretHashes` replaces the provider's comparison.
    ...(row.secret_hash !== null && { client_secret: row.secret_hash }),
  };
}

/**
 * Stores a grant to which the account has just consented, and records a security event. Does nothing if the grant is
 * already stored, because the button was clicked twice, or if the browser session has ended in the meantime.
 */
export async function saveGrant(context: IdentityContext, grant: NewRecord, scope: RequestScope = {}): Promise<void> {
  const { account_id: accountId, client_id: clientId } = grant;
  if (accountId === null || clientId === null) throw new Error('A grant needs an account and a client.');
  await context.database.transaction(async (tx) => {
    // A password change ends sessions and grants under the same lock, so an earlier consent cannot be stored after it.
    await lockAccount(tx, accountId);
    if (scope.sessionId !== undefined && !(await isSessionLive(tx, scope.sessionId, grant.created_at))) return;
    if (scope.documentClient) await saveDocumentClient(tx, scope.documentClient, grant.created_at);
    const db = tx.query<OAuthTables>();
    const inserted = await db
      .insertInto('oauth_record')
      .values({ ...grant, payload: json(grant.payload), consumed_at: null, last_used_at: null, network: null })
      .onConflict((conflict) => conflict.columns(['model', 'id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) return;
    const client = await db.selectFrom('oauth_client').select('name').where('id', '=', clientId).executeTakeFirst();
    await recordSecurityEvent(tx, {
      accountId,
      kind: 'client_authorized',
      at: grant.created_at,
      origin: scope.origin,
      details: { grant_id: grant.id, client: client?.name ?? clientId },
    });
  });
}

/** Stores a client as its document describes it now. */
async function saveDocumentClient(tx: Transaction, client: DocumentClient, now: Date): Promise<void> {
  await tx
    .query<OAuthTables>()
    .insertInto('oauth_client')
    .values({ ...client, secret_hash: null, created_at: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ name: client.name, uri: client.uri, redirect_uris: client.redirect_uris }),
    )
    .execute();
}

async function isSessionLive(tx: Transaction, sessionId: string, now: Date): Promise<boolean> {
  const session = await tx
    .query<IdentityTables>()
    .selectFrom('browser_session')
    .select('id')
    .where('id', '=', sessionId)
    .where(liveSessionCondition(now))
    .executeTakeFirst();
  return session !== undefined;
}
