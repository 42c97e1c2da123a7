import { type Kysely, sql } from 'kysely';

/**
 * Adds the key with which a key was created. Some databases ran an early form of `0001-callers` without it; in all
 * others this migration changes nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE api_key ADD COLUMN IF NOT EXISTS made_by text REFERENCES api_key ON DELETE CASCADE`.execute(db);
  await sql`CREATE INDEX IF NOT EXISTS api_key_by_maker ON api_key (made_by) WHERE revoked_at IS NULL`.execute(db);
}
