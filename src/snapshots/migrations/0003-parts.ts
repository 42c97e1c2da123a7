import { type Kysely, sql } from 'kysely';

/** Builds before it cannot read the snapshots whose bytes are in parts. */
export const compatible = false;

/** Lets the packed bytes of a snapshot be in parts instead of in its row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE snapshot ALTER COLUMN packed DROP NOT NULL, ADD COLUMN packed_bytes integer,
      ADD CONSTRAINT snapshot_place CHECK (num_nonnulls(packed, packed_bytes) = 1) NOT VALID`.execute(db);
  await sql`
    CREATE FUNCTION drop_snapshot_parts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM stored_part WHERE thing = OLD.id;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER drop_snapshot_parts AFTER DELETE ON snapshot
    FOR EACH ROW WHEN (OLD.packed IS NULL) EXECUTE FUNCTION drop_snapshot_parts()`.execute(db);
  await sql`
    CREATE OR REPLACE FUNCTION count_stored_snapshot(counted_payer text, counted_id text, change integer)
    RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      size integer;
      left_uses integer;
    BEGIN
      IF counted_id IS NULL THEN RETURN; END IF;
      IF change > 0 THEN
        SELECT coalesce(packed_bytes, octet_length(packed)) + octet_length(header) INTO size
        FROM snapshot WHERE id = counted_id;
        INSERT INTO stored_snapshot (payer, snapshot_id, bytes, uses)
        VALUES (counted_payer, counted_id, coalesce(size, 0), 1)
        ON CONFLICT (payer, snapshot_id) DO UPDATE SET uses = stored_snapshot.uses + 1
        RETURNING uses INTO left_uses;
        IF left_uses = 1 THEN PERFORM count_stored_bytes(counted_payer, coalesce(size, 0)); END IF;
      ELSE
        UPDATE stored_snapshot SET uses = uses - 1 WHERE payer = counted_payer AND snapshot_id = counted_id
        RETURNING uses, bytes INTO left_uses, size;
        IF left_uses = 0 THEN
          DELETE FROM stored_snapshot WHERE payer = counted_payer AND snapshot_id = counted_id;
          PERFORM count_stored_bytes(counted_payer, 0 - size::bigint);
        END IF;
      END IF;
    END $$`.execute(db);
}
