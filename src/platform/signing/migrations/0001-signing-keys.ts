import { type Kysely, sql } from 'kysely';

/** Secrets that every process of an installation shares. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE signing_key (name text PRIMARY KEY, secret bytea NOT NULL)`.execute(db);
}
