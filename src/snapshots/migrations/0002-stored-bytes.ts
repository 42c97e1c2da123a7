import { type Kysely, sql } from 'kysely';

/**
 * Counts the bytes that payers store. A payer is an account (outside workspaces), a workspace, a guest or the network of
 * a guest. Triggers of the tables whose rows are counted call these functions, so that every way in which a row
 * appears, changes or disappears is counted, cascades included.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE stored_bytes (payer text PRIMARY KEY, bytes bigint NOT NULL)`.execute(db);
  // A snapshot that several forecasts of a payer use is counted once.
  await sql`
    CREATE TABLE stored_snapshot (
      payer text NOT NULL,
      snapshot_id text NOT NULL,
      bytes integer NOT NULL,
      uses integer NOT NULL,
      PRIMARY KEY (payer, snapshot_id)
    )`.execute(db);
  await sql`
    CREATE FUNCTION count_stored_bytes(counted_payer text, change bigint) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF change = 0 THEN RETURN; END IF;
      INSERT INTO stored_bytes (payer, bytes) VALUES (counted_payer, change)
      ON CONFLICT (payer) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes;
      IF change < 0 THEN DELETE FROM stored_bytes WHERE payer = counted_payer AND bytes = 0; END IF;
    END $$`.execute(db);
  // Call it after `count_stored_bytes` with another amount than 0: the lock on the payer's row makes concurrent
  // transactions of a payer wait for each other, so that they cannot lock the rows of snapshots in different orders.
  await sql`
    CREATE FUNCTION count_stored_snapshot(counted_payer text, counted_id text, change integer)
    RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      size integer;
      left_uses integer;
    BEGIN
      IF counted_id IS NULL THEN RETURN; END IF;
      IF change > 0 THEN
        SELECT octet_length(packed) + octet_length(header) INTO size FROM snapshot WHERE id = counted_id;
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
