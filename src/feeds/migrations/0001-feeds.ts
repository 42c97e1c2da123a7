import { type Kysely, sql } from 'kysely';

/** Feeds: what each one returns, and the hash of its token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE feed (
      id text PRIMARY KEY,
      account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('history', 'observations', 'forecast')),
      name text,
      request jsonb NOT NULL,
      token_hash text NOT NULL UNIQUE,
      made_by text,
      made_under text,
      created_at timestamptz NOT NULL,
      last_read_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX feed_by_account ON feed (account_id, created_at DESC, id DESC)`.execute(db);
}
