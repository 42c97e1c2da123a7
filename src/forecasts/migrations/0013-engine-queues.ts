import { type Kysely, sql } from 'kysely';

/** Builds before it leave the queue of a forecast null and do not read the table. */
export const compatible = true;

/** The queue of each forecast, and the workers that take forecasts, by their version of the engine. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE forecast ADD COLUMN queue text`.execute(db);
  await sql`
    CREATE TABLE forecast_worker (
      id text PRIMARY KEY,
      engine text NOT NULL,
      seen_at timestamptz NOT NULL
    )`.execute(db);
}
