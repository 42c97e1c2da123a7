import { type Kysely, sql } from 'kysely';

/**
 * Creates the reads of billed warehouse tables, which are counted, their rows that identical reads use again, and the
 * public tables that were described.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE warehouse_read (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id text,
      at timestamptz NOT NULL,
      bytes bigint NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX warehouse_read_by_account ON warehouse_read (account_id, at)`.execute(db);
  await sql`CREATE INDEX warehouse_read_by_time ON warehouse_read (at) INCLUDE (bytes)`.execute(db);
  await sql`
    CREATE TABLE warehouse_rows (
      key text PRIMARY KEY,
      snapshot_id text NOT NULL,
      estimated_bytes bigint NOT NULL,
      read_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX warehouse_rows_by_time ON warehouse_rows (read_at)`.execute(db);
  await sql`CREATE SEQUENCE described_table_version`.execute(db);
  await sql`
    CREATE TABLE described_table (
      name text COLLATE "C" PRIMARY KEY,
      title text NOT NULL,
      publisher text NOT NULL,
      columns jsonb NOT NULL,
      rows bigint,
      version bigint NOT NULL,
      described_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX described_table_by_use ON described_table (described_at)`.execute(db);
  await sql`CREATE INDEX described_table_by_version ON described_table (version)`.execute(db);
}
