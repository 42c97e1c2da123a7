import { type Kysely, sql } from 'kysely';

/** The secrets that all processes of an installation share. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE signing_key (name text PRIMARY KEY, secret bytea NOT NULL)`.execute(db);
}
