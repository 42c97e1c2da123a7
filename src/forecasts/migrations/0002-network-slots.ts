import { type Kysely, sql } from 'kysely';

/** Which unfinished forecasts hold a slot of the network that their guest came from. Gone when they end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE network_slot (
      forecast_id text PRIMARY KEY REFERENCES forecast ON DELETE CASCADE,
      network text NOT NULL
    )`.execute(db);
}
