import { type Kysely, sql } from 'kysely';

/** Keeps the lines of a file that are not part of its table: titles, units and footer rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE csv_file ADD COLUMN skipped json`.execute(db);
}
