import { type Kysely, sql } from 'kysely';

/** Mailed links, security events, and the last use of sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Only the email contains the secret. It is generated with the email; until then the link cannot be used.
  await sql`
    CREATE TABLE account_link (
      id text PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('sign_up', 'verify_email', 'reset_password')),
      email text NOT NULL CHECK (email = lower(email)),
      account_id text REFERENCES account ON DELETE CASCADE,
      password_hash text,
      password_tries int NOT NULL DEFAULT 0,
      return_to text,
      network text,
      user_agent text,
      secret_hash text UNIQUE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      sent_at timestamptz,
      used_at timestamptz,
      CHECK (password_hash IS NULL OR (kind = 'sign_up' AND used_at IS NULL))
    )`.execute(db);
  await sql`CREATE INDEX account_link_by_email ON account_link (email)`.execute(db);
  await sql`CREATE INDEX account_link_by_account ON account_link (account_id)`.execute(db);
  await sql`CREATE INDEX account_link_by_expiry ON account_link (expires_at)`.execute(db);

  await sql`
    CREATE TABLE security_event (
      id text PRIMARY KEY,
      sequence bigint GENERATED ALWAYS AS IDENTITY,
      account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
      kind text NOT NULL,
      at timestamptz NOT NULL,
      network text,
      user_agent text,
      details jsonb NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX security_event_by_account ON security_event (account_id, sequence)`.execute(db);
  await sql`CREATE INDEX security_event_by_time ON security_event (at)`.execute(db);
  // Failed attempts are recorded at most once a minute.
  await sql`
    CREATE UNIQUE INDEX security_event_one_failure_a_minute
      ON security_event (account_id, kind, date_trunc('minute', at AT TIME ZONE 'UTC'))
      WHERE kind IN ('sign_in_failed', 'password_change_failed')`.execute(db);

  // Existing sessions count as used now, so that an upgrade does not sign browsers out.
  await sql`ALTER TABLE browser_session ADD COLUMN last_used_at timestamptz NOT NULL DEFAULT now()`.execute(db);
}
