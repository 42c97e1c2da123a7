import { type Kysely, sql } from 'kysely';

/** It only adds tables. */
export const compatible = true;

/** The parts of large things, and the objects that have the bytes of some of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An object is listed before it is written, so that one that no row names is found without listing the bucket.
  await sql`
    CREATE TABLE stored_object (
      key text PRIMARY KEY,
      state text NOT NULL CHECK (state IN ('pending', 'used', 'unused')),
      shared boolean NOT NULL DEFAULT false,
      changed_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX stored_object_unused ON stored_object (changed_at) WHERE state <> 'used'`.execute(db);
  await sql`
    CREATE TABLE stored_part (
      thing text NOT NULL,
      position integer NOT NULL,
      bytes integer NOT NULL,
      sha256 text NOT NULL,
      data bytea,
      object text UNIQUE REFERENCES stored_object,
      PRIMARY KEY (thing, position),
      CONSTRAINT stored_part_place CHECK (num_nonnulls(data, object) = 1)
    )`.execute(db);
  // The bytes are already compressed, so the database need not compress them.
  await sql`ALTER TABLE stored_part ALTER COLUMN data SET STORAGE EXTERNAL`.execute(db);
  // In the transaction that removes the part, so that every way in which a row disappears leaves the object to be deleted.
  await sql`
    CREATE FUNCTION drop_object() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE stored_object SET state = 'unused', changed_at = now() WHERE key = OLD.object;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER drop_object_of_part AFTER DELETE ON stored_part
    FOR EACH ROW WHEN (OLD.object IS NOT NULL) EXECUTE FUNCTION drop_object()`.execute(db);
  await sql`
    CREATE TRIGGER drop_object_of_moved_part AFTER UPDATE OF object ON stored_part
    FOR EACH ROW WHEN (OLD.object IS NOT NULL AND NEW.object IS NULL) EXECUTE FUNCTION drop_object()`.execute(db);
}
