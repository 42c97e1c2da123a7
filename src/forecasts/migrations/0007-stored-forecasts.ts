import { type Kysely, sql } from 'kysely';

/** Counts the bytes of forecasts, and lets a forecast lose its snapshot. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE forecast
      ADD COLUMN bytes integer NOT NULL DEFAULT 0,
      ADD COLUMN guest_network text,
      ADD COLUMN removed_snapshot json,
      ALTER COLUMN snapshot_id DROP NOT NULL,
      ADD CONSTRAINT forecast_snapshot_known CHECK ((snapshot_id IS NULL) = (removed_snapshot IS NOT NULL))`.execute(
    db,
  );
  await sql`
    UPDATE forecast SET guest_network = network_slot.network FROM network_slot
    WHERE network_slot.forecast_id = forecast.id`.execute(db);
  await countForecasts(db);
  await sql`CREATE INDEX forecast_by_guest ON forecast (guest_id) WHERE guest_id IS NOT NULL`.execute(db);
  // These are for removing the snapshots of failed forecasts: all old ones, and the oldest of a payer.
  for (const [name, columns] of [
    ['forecast_failed_by_age', sql`(finished_at)`],
    ['forecast_failed_by_payer', sql`(coalesce(workspace_id, owner), finished_at)`],
    ['forecast_failed_by_network', sql`(guest_network, finished_at)`],
  ] as const) {
    await sql`
      CREATE INDEX ${sql.id(name)} ON forecast ${columns} WHERE status = 'failed' AND snapshot_id IS NOT NULL
    `.execute(db);
  }
  await sql`CREATE INDEX forecast_event_progress ON forecast_event (created_at) WHERE kind IN ('queued', 'progress')`.execute(
    db,
  );
  // The removal of a forecast looks for the rows that refer to it.
  await sql`CREATE INDEX forecast_by_original ON forecast (reproduces) WHERE reproduces IS NOT NULL`.execute(db);
  await sql`CREATE INDEX idempotency_key_by_forecast ON idempotency_key (forecast_id)`.execute(db);
  await sql`
    CREATE TABLE removed_forecast (
      id text PRIMARY KEY,
      slug text NOT NULL UNIQUE,
      content_cid text NOT NULL,
      created_at timestamptz NOT NULL,
      finished_at timestamptz NOT NULL,
      removed_at timestamptz NOT NULL
    )`.execute(db);
  await restoreGuests(db);
}

/** Counts what is stored, and from now on every change. */
async function countForecasts(db: Kysely<unknown>): Promise<void> {
  // 4 KiB stand for the row without these columns, its events, its queue entry and its entries in the ledger.
  await sql`
    CREATE FUNCTION measure_forecast() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.bytes := 4096 + octet_length(NEW.request::text) + octet_length(NEW.settings::text)
        + coalesce(octet_length(NEW.result::text), 0);
      RETURN NEW;
    END $$`.execute(db);
  await sql`
    UPDATE forecast SET bytes = 4096 + octet_length(request::text) + octet_length(settings::text)
      + coalesce(octet_length(result::text), 0)`.execute(db);
  const payers = sql`
    SELECT coalesce(workspace_id, owner) AS payer, bytes, snapshot_id FROM forecast
    UNION ALL SELECT guest_network, bytes, snapshot_id FROM forecast WHERE guest_network IS NOT NULL`;
  await sql`
    INSERT INTO stored_snapshot (payer, snapshot_id, bytes, uses)
    SELECT payer, snapshot.id, octet_length(packed) + octet_length(header), count(*)
    FROM (${payers}) AS counted JOIN snapshot ON snapshot.id = snapshot_id
    GROUP BY payer, snapshot.id`.execute(db);
  await sql`
    INSERT INTO stored_bytes (payer, bytes)
    SELECT payer, sum(bytes) FROM (
      SELECT payer, bytes FROM (${payers}) AS counted
      UNION ALL SELECT payer, bytes FROM stored_snapshot
    ) AS stored
    GROUP BY payer
    ON CONFLICT (payer) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes`.execute(db);
  await sql`
    CREATE TRIGGER measure_forecast BEFORE INSERT OR UPDATE OF request, settings, result
    ON forecast FOR EACH ROW EXECUTE FUNCTION measure_forecast()`.execute(db);
  await sql`
    CREATE FUNCTION count_stored_forecast() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        PERFORM count_stored_bytes(coalesce(OLD.workspace_id, OLD.owner), 0 - OLD.bytes::bigint);
        PERFORM count_stored_snapshot(coalesce(OLD.workspace_id, OLD.owner), OLD.snapshot_id, -1);
        IF OLD.guest_network IS NOT NULL THEN
          PERFORM count_stored_bytes(OLD.guest_network, 0 - OLD.bytes::bigint);
          PERFORM count_stored_snapshot(OLD.guest_network, OLD.snapshot_id, -1);
        END IF;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        PERFORM count_stored_bytes(coalesce(NEW.workspace_id, NEW.owner), NEW.bytes);
        PERFORM count_stored_snapshot(coalesce(NEW.workspace_id, NEW.owner), NEW.snapshot_id, 1);
        IF NEW.guest_network IS NOT NULL THEN
          PERFORM count_stored_bytes(NEW.guest_network, NEW.bytes);
          PERFORM count_stored_snapshot(NEW.guest_network, NEW.snapshot_id, 1);
        END IF;
      END IF;
      RETURN NULL;
    END $$`.execute(db);
  // Deferred, so that the row of a payer is locked after every other row, whichever rows a transaction changes first.
  await sql`
    CREATE CONSTRAINT TRIGGER count_stored_forecast AFTER INSERT OR DELETE
    ON forecast DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_stored_forecast()`.execute(db);
  await sql`
    CREATE CONSTRAINT TRIGGER count_changed_forecast AFTER UPDATE
    ON forecast DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN ((OLD.bytes, OLD.owner, OLD.workspace_id, OLD.guest_network, OLD.snapshot_id)
      IS DISTINCT FROM (NEW.bytes, NEW.owner, NEW.workspace_id, NEW.guest_network, NEW.snapshot_id))
    EXECUTE FUNCTION count_stored_forecast()`.execute(db);
}

/**
 * Gives the guests that were removed before their forecasts and charges a session that has expired, so that the removal
 * of expired guests finds them.
 */
async function restoreGuests(db: Kysely<unknown>): Promise<void> {
  await sql`
    INSERT INTO guest_session (id, secret_hash, created_at, expires_at)
    SELECT id, 'removed ' || id, '1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z' FROM (
      SELECT guest_id AS id FROM forecast WHERE guest_id IS NOT NULL
      UNION SELECT owner FROM ledger_entry WHERE owner LIKE 'gst\\_%'
      UNION SELECT owner FROM admission WHERE owner LIKE 'gst\\_%'
    ) AS guest
    ON CONFLICT (id) DO NOTHING`.execute(db);
}
