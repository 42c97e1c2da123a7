import { type Kysely, sql } from 'kysely';

/** Creates the store of what providers of economic series replied: structures and rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE economic_store (
      provider text NOT NULL,
      key text NOT NULL,
      read_at timestamptz NOT NULL,
      listed_update timestamptz,
      body bytea NOT NULL,
      PRIMARY KEY (provider, key)
    )`.execute(db);
  // Compressed bytes gain nothing from a second compression.
  await sql`ALTER TABLE economic_store ALTER COLUMN body SET STORAGE EXTERNAL`.execute(db);
  await sql`CREATE INDEX economic_store_read_at ON economic_store (read_at)`.execute(db);
}
