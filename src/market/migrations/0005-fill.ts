import { type Kysely, sql } from 'kysely';

/** The progress of the bulk reads of daily bars: one row per provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE market_fill (
      provider text PRIMARY KEY,
      session date NOT NULL,
      unit text NOT NULL CHECK (unit IN ('symbols', 'dates')),
      total integer NOT NULL,
      done integer NOT NULL,
      started_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      completed_at timestamptz,
      completed_session date,
      last_fault text,
      claim text,
      claimed_until timestamptz,
      read_from date,
      read_to date,
      settled_to date,
      checked_on date
    )`.execute(db);
}
