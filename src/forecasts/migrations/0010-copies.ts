import { type Kysely, sql } from 'kysely';

/**
 * Marks reproductions. The reference to the original ends when the original is deleted, but a reproduction must never
 * count as a forecast of its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE forecast ADD COLUMN is_copy boolean NOT NULL DEFAULT false`.execute(db);
  await sql`
    UPDATE forecast SET is_copy = true WHERE reproduces IS NOT NULL OR comparison IS NOT NULL`.execute(db);
}
