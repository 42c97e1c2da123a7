import { type Kysely, sql } from 'kysely';

/** Until when a provider gets no requests because it said so in `Retry-After`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE provider_state ADD COLUMN paused_until timestamptz`.execute(db);
}
