import { sql } from 'kysely';
import { type Executor, json } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { type Payload, restoredPayload, storedId, withoutSecrets } from './stored-payload.ts';
import type { OAuthRecordTable, OAuthTables } from './tables.ts';

/** Handed out under a grant, and worth nothing without it. */
const OF_A_GRANT = ['AuthorizationCode', 'RefreshToken', 'AccessToken'];

const READ_COLUMNS = ['model', 'payload', 'expires_at', 'consumed_at'] as const;

/** A record as it is first kept. */
export type NewRecord = Omit<OAuthRecordTable, 'consumed_at' | 'last_used_at'>;

export function newRecord(now: Date, model: string, id: string, payload: Payload, lifetimeSeconds: number): NewRecord {
  return {
    model,
    id: storedId(model, id),
    payload: withoutSecrets(model, payload),
    grant_id: grantOf(model, id, payload),
    uid: model === 'Session' ? textOrNull(payload.uid) : null,
    account_id: textOrNull(payload.accountId),
    client_id: textOrNull(payload.clientId),
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimeSeconds * 1_000),
  };
}

/** Keeps a record, or the new state of one that is kept already. */
export async function saveRecord(executor: Executor, record: NewRecord): Promise<void> {
  if (OF_A_GRANT.includes(record.model)) return saveUnderGrant(executor, record);
  await executor
    .query<OAuthTables>()
    .insertInto('oauth_record')
    .values({ ...record, payload: json(record.payload), consumed_at: null, last_used_at: null })
    .onConflict((conflict) =>
      conflict.columns(['model', 'id']).doUpdateSet(({ ref }) => ({
        payload: ref('excluded.payload'),
        account_id: ref('excluded.account_id'),
        expires_at: ref('excluded.expires_at'),
      })),
    )
    .execute();
}

/**
 * Keeps what belongs to a grant, and the grant at least as long. Under a grant that was revoked meanwhile nothing is
 * kept: what was handed out is dead then.
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

/** What was kept under an id, also when it is too old: the provider tells those apart. */
export async function findRecord(executor: Executor, model: string, id: string): Promise<Payload | undefined> {
  const row = await executor
    .query<OAuthTables>()
    .selectFrom('oauth_record')
    .select(READ_COLUMNS)
    .where('model', '=', model)
    .where('id', '=', storedId(model, id))
    .executeTakeFirst();
  return row && restoredPayload(id, row);
}

/** The same by the second name that a session of the provider has, which opens nothing. */
export async function findRecordByUid(executor: Executor, model: string, uid: string): Promise<Payload | undefined> {
  const row = await executor
    .query<OAuthTables>()
    .selectFrom('oauth_record')
    .select(READ_COLUMNS)
    .where('model', '=', model)
    .where('uid', '=', uid)
    .executeTakeFirst();
  return row && restoredPayload(undefined, row);
}

/** Uses up what can be used once. False: somebody was first. */
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

/** The grant under which a record was handed out. */
export async function grantOfRecord(executor: Executor, model: string, id: string): Promise<string | null> {
  const row = await executor
    .query<OAuthTables>()
    .selectFrom('oauth_record')
    .select('grant_id')
    .where('model', '=', model)
    .where('id', '=', storedId(model, id))
    .executeTakeFirst();
  return row?.grant_id ?? null;
}

/** The same, for a record that was used up. */
export async function grantOfUsedRecord(executor: Executor, model: string, id: string): Promise<string | null> {
  const row = await executor
    .query<OAuthTables>()
    .selectFrom('oauth_record')
    .select('grant_id')
    .where('model', '=', model)
    .where('id', '=', storedId(model, id))
    .where('consumed_at', 'is not', null)
    .executeTakeFirst();
  return row?.grant_id ?? null;
}

function grantOf(model: string, id: string, payload: Payload): string | null {
  if (model === 'Grant') return id;
  return OF_A_GRANT.includes(model) ? textOrNull(payload.grantId) : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
