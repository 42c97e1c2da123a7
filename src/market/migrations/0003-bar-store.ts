import { type Kysely, sql } from 'kysely';

/** The bar store: one row per series with the ranges that are stored, and one per series and calendar period. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE bar_series (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      provider text NOT NULL,
      symbol text NOT NULL,
      frequency text NOT NULL,
      adjustment text NOT NULL,
      side text NOT NULL,
      version integer NOT NULL,
      coverage jsonb NOT NULL,
      used_at timestamptz NOT NULL,
      bytes bigint NOT NULL,
      CONSTRAINT bar_series_key UNIQUE (provider, symbol, frequency, adjustment, side)
    )`.execute(db);
  await sql`CREATE INDEX bar_series_by_use ON bar_series (used_at, id) INCLUDE (bytes)`.execute(db);
  await sql`
    CREATE TABLE bar_chunk (
      series_id bigint NOT NULL REFERENCES bar_series ON DELETE CASCADE,
      starts_at timestamptz NOT NULL,
      rows integer NOT NULL,
      data bytea NOT NULL,
      dropped jsonb,
      PRIMARY KEY (series_id, starts_at)
    )`.execute(db);
  // The bars are already compressed, so the database must not compress them again.
  await sql`ALTER TABLE bar_chunk ALTER COLUMN data SET STORAGE EXTERNAL`.execute(db);
}
