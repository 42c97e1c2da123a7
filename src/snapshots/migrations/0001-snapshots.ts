import { type Kysely, sql } from 'kysely';

/** Creates the tables for snapshots, which store equal content only once, and for their holders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE snapshot (
      id text PRIMARY KEY,
      sha256 text NOT NULL CONSTRAINT snapshot_content_unique UNIQUE,
      header text NOT NULL,
      rows integer NOT NULL,
      size integer NOT NULL,
      packed bytea NOT NULL,
      created_at timestamptz NOT NULL,
      last_used_at timestamptz NOT NULL
    )`.execute(db);
  // The packed columns are already compressed, so the database must not compress them again.
  await sql`ALTER TABLE snapshot ALTER COLUMN packed SET STORAGE EXTERNAL`.execute(db);
  await sql`CREATE INDEX snapshot_by_use ON snapshot (last_used_at)`.execute(db);
  await sql`
    CREATE TABLE snapshot_holder (
      snapshot_id text NOT NULL REFERENCES snapshot,
      holder text NOT NULL,
      PRIMARY KEY (snapshot_id, holder)
    )`.execute(db);
  await sql`CREATE INDEX snapshot_holder_by_holder ON snapshot_holder (holder)`.execute(db);
}
