import { type Kysely, sql } from 'kysely';

/** Accounts, their API keys and browser sessions, and guest sessions. Secrets are stored only as hashes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE account (
      id text PRIMARY KEY,
      email text NOT NULL CONSTRAINT account_email_unique UNIQUE CHECK (email = lower(email)),
      email_verified boolean NOT NULL,
      password_hash text,
      plan text NOT NULL CHECK (plan IN ('free', 'pro', 'enterprise')),
      administrator boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`.execute(db);
  await sql`
    CREATE TABLE api_key (
      id text PRIMARY KEY,
      account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('personal', 'service')),
      name text NOT NULL,
      hint text NOT NULL,
      made_by text REFERENCES api_key ON DELETE CASCADE,
      secret_hash text NOT NULL UNIQUE,
      scopes text[] NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz,
      revoked_at timestamptz,
      last_used_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX api_key_by_maker ON api_key (made_by) WHERE revoked_at IS NULL`.execute(db);
  await sql`CREATE INDEX api_key_by_account ON api_key (account_id) WHERE revoked_at IS NULL`.execute(db);
  await sql`
    CREATE TABLE browser_session (
      id text PRIMARY KEY,
      account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
      secret_hash text NOT NULL UNIQUE,
      user_agent text,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX browser_session_by_account ON browser_session (account_id)`.execute(db);
  await sql`CREATE INDEX browser_session_by_expiry ON browser_session (expires_at)`.execute(db);
  await sql`
    CREATE TABLE guest_session (
      id text PRIMARY KEY,
      secret_hash text NOT NULL UNIQUE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX guest_session_by_expiry ON guest_session (expires_at)`.execute(db);
}
