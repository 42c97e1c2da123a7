import { type Kysely, sql } from 'kysely';

/** Counters that may be lost in a crash, so they are not written to the write-ahead log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE UNLOGGED TABLE rate_window (
      key text PRIMARY KEY,
      started_at timestamptz NOT NULL,
      used integer NOT NULL,
      granted integer NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX rate_window_by_start ON rate_window (started_at)`.execute(db);
}
