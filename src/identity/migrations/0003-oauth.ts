import { type Kysely, sql } from 'kysely';

/**
 * The tables of the OAuth provider: clients, records (codes, tokens, grants, sessions, interactions) and signing keys.
 * API keys get a column for the grant of the token with which they were created.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE oauth_client (
      id text PRIMARY KEY,
      name text NOT NULL,
      uri text,
      redirect_uris text[] NOT NULL,
      secret_hash text,
      created_at timestamptz NOT NULL
    )`.execute(db);
  // The payload is json, not jsonb: it contains text from callers, and jsonb cannot store NUL.
  await sql`
    CREATE TABLE oauth_record (
      model text NOT NULL,
      id text NOT NULL,
      payload json NOT NULL,
      grant_id text,
      uid text,
      account_id text REFERENCES account ON DELETE CASCADE,
      client_id text REFERENCES oauth_client ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      consumed_at timestamptz,
      last_used_at timestamptz,
      PRIMARY KEY (model, id)
    )`.execute(db);
  await sql`CREATE INDEX oauth_record_by_grant ON oauth_record (grant_id)`.execute(db);
  await sql`CREATE INDEX oauth_record_by_uid ON oauth_record (uid) WHERE uid IS NOT NULL`.execute(db);
  await sql`CREATE INDEX oauth_record_by_account ON oauth_record (account_id)`.execute(db);
  await sql`CREATE INDEX oauth_record_by_client ON oauth_record (client_id)`.execute(db);
  await sql`CREATE INDEX oauth_record_by_expiry ON oauth_record (expires_at)`.execute(db);
  await sql`
    CREATE TABLE oauth_key (
      number int PRIMARY KEY,
      kid text NOT NULL UNIQUE,
      private_jwk json NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db);
  await sql`ALTER TABLE api_key ADD COLUMN made_under text`.execute(db);
}
