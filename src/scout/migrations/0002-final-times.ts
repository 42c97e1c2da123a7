import { type Kysely, sql } from 'kysely';

/**
 * Adds the requested slug of an event and the time at which its observation is final. Some databases ran an early form
 * of `0001-events` without them; in all others this migration changes nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE event_forecast ADD COLUMN IF NOT EXISTS asked_slug text`.execute(db);
  await sql`ALTER TABLE event_forecast ADD COLUMN IF NOT EXISTS final_at timestamptz`.execute(db);
  // The early check has no fixed name, so it is found by the columns that it compares.
  await sql`
    DO $$
    DECLARE early_check text := (
      SELECT conname FROM pg_constraint
      WHERE conrelid = 'event_forecast'::regclass
        AND pg_get_constraintdef(oid) LIKE '%num_nulls(resolution_rule, observed_until, read_until)%'
    );
    BEGIN
      IF early_check IS NULL THEN RETURN; END IF;
      EXECUTE format('ALTER TABLE event_forecast DROP CONSTRAINT %I', early_check);
      UPDATE event_forecast SET
        asked_slug = slug,
        final_at = observed_until + make_interval(hours => 24 * (resolution_rule ->> 'settle_days')::integer);
      ALTER TABLE event_forecast
        ADD CONSTRAINT event_forecast_asked_slug_unique UNIQUE (author_account_id, asked_slug),
        ADD CHECK (num_nulls(resolution_rule, read_until, final_at) IN (0, 3)),
        ADD CHECK (resolution_rule IS NULL OR observed_until IS NOT NULL);
    END $$`.execute(db);
}
