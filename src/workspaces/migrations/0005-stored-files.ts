import { type Kysely, sql } from 'kysely';

/** Counts the bytes of files toward their workspace as soon as they are complete. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    INSERT INTO stored_bytes (payer, bytes)
    SELECT workspace_id, sum(bytes) FROM csv_file WHERE ready_at IS NOT NULL GROUP BY workspace_id
    HAVING sum(bytes) > 0
    ON CONFLICT (payer) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes`.execute(db);
  await sql`
    CREATE FUNCTION count_stored_file() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' AND OLD.ready_at IS NOT NULL THEN
        PERFORM count_stored_bytes(OLD.workspace_id, 0 - OLD.bytes::bigint);
      END IF;
      IF TG_OP <> 'DELETE' AND NEW.ready_at IS NOT NULL THEN
        PERFORM count_stored_bytes(NEW.workspace_id, NEW.bytes);
      END IF;
      RETURN NULL;
    END $$`.execute(db);
  // Deferred, so that the row of the payer is locked after every other row. See jobs/0007-stored-forecasts.
  await sql`
    CREATE CONSTRAINT TRIGGER count_stored_file AFTER INSERT OR UPDATE OF ready_at, bytes, workspace_id OR DELETE
    ON csv_file DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_stored_file()`.execute(db);
}
