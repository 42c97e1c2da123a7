import { type Kysely, sql } from 'kysely';

/** Unfinished forecasts that hold a slot of their guest's network. A row is removed when its forecast ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE network_slot (
      forecast_id text PRIMARY KEY REFERENCES forecast ON DELETE CASCADE,
      network text NOT NULL
    )`.execute(db);
}
