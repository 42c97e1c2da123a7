import { sql } from 'kysely';
import { type Database, type Executor, json } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret } from '../secrets.ts';
import type { Origin } from '../security-events.ts';
import { OAUTH_MOUNT } from './oauth.ts';
import { removeRetiredKeys } from './signing-keys.ts';
import type { OAuthRecordTable, OAuthTables } from './tables.ts';

type Payload = Record<string, unknown>;

/** The models of records that are issued under a grant and are invalid without it. */
const MODELS_OF_A_GRANT = ['AuthorizationCode', 'RefreshToken', 'AccessToken'];

const READ_COLUMNS = ['model', 'payload', 'expires_at', 'consumed_at'] as const;

/** A record to store, which has not been used yet. */
export type NewRecord = Omit<OAuthRecordTable, 'consumed_at' | 'last_used_at' | 'network'>;

export function newRecord(now: Date, model: string, id: string, payload: Payload, lifetimeSeconds: number): NewRecord {
  return {
    model,
    id: storedId(model, id),
    payload: stripSecrets(model, payload),
    grant_id: grantIdOf(model, id, payload),
    uid: model === 'Session' ? textOrNull(payload.uid) : null,
    account_id: textOrNull(payload.accountId),
    client_id: textOrNull(payload.clientId),
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimeSeconds * 1_000),
  };
}

/** Inserts a record or updates the stored one. */
export async function saveRecord(executor: Executor, record: NewRecord, network: string | null = null): Promise<void> {
  if (MODELS_OF_A_GRANT.includes(record.model)) return saveUnderGrant(executor, record);
  await executor
    .query<OAuthTables>()
    .insertInto('oauth_record')
    .values({ ...record, payload: json(record.payload), consumed_at: null, last_used_at: null, network })
    .onConflict((conflict) =>
      conflict.columns(['model', 'id']).doUpdateSet(({ ref }) => ({
        payload: ref('excluded.payload'),
        account_id: ref('excluded.account_id'),
        expires_at: ref('excluded.expires_at'),
      })),
    )
    .execute();
}

/** How many interactions of one network can be open, which means not completed. */
export const MAX_OPEN_INTERACTIONS = 200;

/**
 * Stores an interaction, which every caller can begin. If the network has too many open ones, its oldest are removed, so that
 * a flood cannot fill the database and does not keep others from beginning.
 */
export async function saveInteraction(
  executor: Executor,
  record: NewRecord,
  origin: Origin | undefined,
): Promise<void> {
  const network = origin?.network ?? 'unknown';
  await saveRecord(executor, record, network);
  await sql`
    DELETE FROM oauth_record WHERE model = 'Interaction' AND id IN (
      SELECT id FROM oauth_record WHERE network = ${network}
      ORDER BY created_at DESC, id OFFSET ${MAX_OPEN_INTERACTIONS}
    )`.execute(executor.query());
}

/**
 * Stores a record that belongs to a grant, and extends the grant to the record's expiry. Stores nothing if the grant has
 * been revoked in the meantime, so that the code or token is invalid.
 */
async function saveUnderGrant(executor: Executor, row: NewRecord): Promise<void> {
  await sql`
    WITH kept_grant AS (
      UPDATE oauth_record SET expires_at = greatest(expires_at, ${row.expires_at}::timestamptz)
      WHERE model = 'Grant' AND id = ${row.grant_id}
      RETURNING id
    )
    INSERT INTO oauth_record (model, id, payload, grant_id, account_id, client_id, created_at, expires_at)
    SELECT ${row.model}::text, ${row.id}::text, ${json(row.payload)}, id, ${row.account_id}::text, ${row.client_id}::text,
      ${row.created_at}::timestamptz, ${row.expires_at}::timestamptz
    FROM kept_grant
    ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at
  `.execute(executor.query());
}

/** Returns the payload stored under an id, even if it has expired: the provider checks the expiry itself. */
export async function findRecord(executor: Executor, model: string, id: string): Promise<Payload | undefined> {
  const row = await executor
    .query<OAuthTables>()
    .selectFrom('oauth_record')
    .select(READ_COLUMNS)
    .where('model', '=', model)
    .where('id', '=', storedId(model, id))
    .executeTakeFirst();
  return row && restorePayload(id, row);
}

/** Finds a session of the provider by its uid, which is not a secret: a browser cannot send it in place of the id. */
export async function findRecordByUid(executor: Executor, model: string, uid: string): Promise<Payload | undefined> {
  const row = await executor
    .query<OAuthTables>()
    .selectFrom('oauth_record')
    .select(READ_COLUMNS)
    .where('model', '=', model)
    .where('uid', '=', uid)
    .executeTakeFirst();
  return row && restorePayload(undefined, row);
}

/** Marks a record as used. Returns false if another request did so before. */
export async function consumeRecord({ database, clock }: IdentityContext, model: string, id: string): Promise<boolean> {
  const consumed = await database
    .query<OAuthTables>()
    .updateTable('oauth_record')
    .set({ consumed_at: clock.now() })
    .where('model', '=', model)
    .where('id', '=', storedId(model, id))
    .where('consumed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return consumed !== undefined;
}

/** Returns the id of the grant under which a record was issued; with `consumed`, only if the record was used. */
export async function findGrantId(
  executor: Executor,
  model: string,
  id: string,
  { consumed = false }: { readonly consumed?: boolean } = {},
): Promise<string | null> {
  let select = executor
    .query<OAuthTables>()
    .selectFrom('oauth_record')
    .select('grant_id')
    .where('model', '=', model)
    .where('id', '=', storedId(model, id));
  if (consumed) select = select.where('consumed_at', 'is not', null);
  return (await select.executeTakeFirst())?.grant_id ?? null;
}

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

/** Removes a session of the provider. The browser then gets a new one. */
export async function removeProviderSession(executor: Executor, uid: string): Promise<void> {
  await executor
    .query<OAuthTables>()
    .deleteFrom('oauth_record')
    .where('model', '=', 'Session')
    .where('uid', '=', uid)
    .execute();
}

/** Removes expired records of the provider and retired signing keys. */
export async function removeExpiredOAuth({ database, clock }: IdentityContext): Promise<void> {
  await database.query<OAuthTables>().deleteFrom('oauth_record').where('expires_at', '<', clock.now()).execute();
  await removeUnusedDocumentClients(database);
  await removeRetiredKeys(database, clock);
}

/** Removes clients that a document describes and that no account has authorized. The next consent stores them again. */
async function removeUnusedDocumentClients(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const unused = sql`NOT EXISTS (SELECT FROM oauth_record WHERE client_id = oauth_client.id)`;
    // A consent locks the row of its client. The second statement sees the grants of those that came before this one.
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM oauth_client WHERE id LIKE 'https:%' AND ${unused} ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED
    `.execute(tx.query());
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await sql`DELETE FROM oauth_client WHERE id = ANY(${ids}) AND ${unused}`.execute(tx.query());
  });
}

/**
 * Returns the id under which a record is stored. It is a hash, because the id is a secret. The id of a grant is not a
 * secret and is stored unchanged.
 */
function storedId(model: string, id: string): string {
  return model === 'Grant' ? id : hashSecret(id);
}

function grantIdOf(model: string, id: string, payload: Payload): string | null {
  if (model === 'Grant') return id;
  return MODELS_OF_A_GRANT.includes(model) ? textOrNull(payload.grantId) : null;
}

/** Removes the values that a reader of the database could misuse: ids, cookies, return URLs and signatures. */
function stripSecrets(model: string, { jti: _, exp: __, consumed: ___, ...payload }: Payload): Payload {
  if (model !== 'Interaction') return payload;
  const { returnTo: ____, ...rest } = payload;
  if (isObject(rest.session)) {
    const { cookie: _____, ...stripped } = rest.session;
    rest.session = stripped;
  }
  if (isObject(rest.params)) rest.params = stripSignature(rest.params);
  if (isObject(rest.prompt) && isObject(rest.prompt.details)) {
    rest.prompt = { ...rest.prompt, details: stripSignature(rest.prompt.details) };
  }
  return rest;
}

/**
 * Removes the signature of an id_token_hint. It was verified when the request arrived, and only the account is still
 * used.
 */
function stripSignature({ id_token_hint: hint, ...rest }: Payload): Payload {
  return typeof hint === 'string' ? { ...rest, id_token_hint: hint.slice(0, hint.lastIndexOf('.') + 1) } : rest;
}

/** Returns the payload that the provider stored, with the values that were removed from it or have their own columns. */
function restorePayload(
  id: string | undefined,
  row: Pick<OAuthRecordTable, 'model' | 'payload' | 'expires_at' | 'consumed_at'>,
): Payload {
  return {
    ...row.payload,
    ...(id !== undefined && { jti: id }),
    ...(id !== undefined && row.model === 'Interaction' && { returnTo: resumeUrl(id) }),
    ...(row.consumed_at && { consumed: toSeconds(row.consumed_at) }),
    exp: toSeconds(row.expires_at),
  };
}

/** Returns the path at which the browser continues after an interaction. */
function resumeUrl(uid: string): string {
  return `${OAUTH_MOUNT}/oauth/authorize/${uid}`;
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
