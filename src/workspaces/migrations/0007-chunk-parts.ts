import { type Kysely, sql } from 'kysely';

/** Builds before it cannot read the files whose bytes are in parts. */
export const compatible = false;

/** Lets the packed bytes of rows of files be in parts instead of in their row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE csv_chunk ALTER COLUMN packed DROP NOT NULL, ADD COLUMN packed_bytes integer,
      ADD CONSTRAINT csv_chunk_place CHECK (num_nonnulls(packed, packed_bytes) = 1) NOT VALID`.execute(db);
  await sql`
    CREATE FUNCTION drop_chunk_parts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM stored_part WHERE thing = OLD.file_id || '/' || OLD.first_row;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER drop_chunk_parts AFTER DELETE ON csv_chunk
    FOR EACH ROW WHEN (OLD.packed IS NULL) EXECUTE FUNCTION drop_chunk_parts()`.execute(db);
}
