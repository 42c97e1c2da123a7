import { type Kysely, sql } from 'kysely';

/**
 * Adds whether the metrics of a symbol are for every filter. Some databases ran an early form of `0001-screener` without
 * it; in all others this migration changes nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE daily_metrics ADD COLUMN IF NOT EXISTS shared boolean NOT NULL DEFAULT true`.execute(db);
}
