import { type Kysely, sql } from 'kysely';

/** The outcomes of forecasts, and the error on history by which lists sort. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE forecast ADD COLUMN validation_wql double precision`.execute(db);
  await sql`
    CREATE OR REPLACE FUNCTION measure_forecast() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.bytes := 4096 + octet_length(NEW.request::text) + octet_length(NEW.settings::text)
        + coalesce(octet_length(NEW.result::text), 0);
      NEW.validation_wql := (NEW.result -> 'historical_validation' -> 'metrics' ->> 'average_wql')::double precision;
      RETURN NEW;
    END $$`.execute(db);
  await sql`
    UPDATE forecast
    SET validation_wql = (result -> 'historical_validation' -> 'metrics' ->> 'average_wql')::double precision
    WHERE result IS NOT NULL`.execute(db);
  await sql`
    CREATE TABLE forecast_outcome (
      forecast_id text PRIMARY KEY REFERENCES forecast ON DELETE CASCADE,
      status text NOT NULL CHECK (status IN ('waiting', 'partial', 'complete', 'unavailable')),
      reason text,
      opened_at timestamptz NOT NULL DEFAULT now(),
      replayed_steps integer,
      next_check_at timestamptz,
      checked_at timestamptz,
      snapshot_id text,
      scale double precision,
      revised boolean NOT NULL DEFAULT false,
      baseline json,
      metrics json,
      scores json,
      first_outcome_at timestamptz,
      completed_at timestamptz,
      CHECK ((status = 'complete') = (completed_at IS NOT NULL)),
      CHECK (scores IS NULL OR status = 'complete')
    )`.execute(db);
  await sql`
    CREATE INDEX forecast_outcome_due ON forecast_outcome (next_check_at) WHERE next_check_at IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX forecast_outcome_scored ON forecast_outcome (completed_at) WHERE scores IS NOT NULL`.execute(db);
  await sql`
    CREATE TABLE forecast_outcome_row (
      forecast_id text NOT NULL REFERENCES forecast_outcome ON DELETE CASCADE,
      step integer NOT NULL CHECK (step > 0),
      timestamp timestamptz NOT NULL,
      actual double precision NOT NULL,
      replayed boolean NOT NULL,
      recorded_at timestamptz NOT NULL,
      revised_to double precision,
      PRIMARY KEY (forecast_id, step)
    )`.execute(db);
  // The first check of an older forecast determines which of its rows existed when it was made.
  // Reads of tables outside the operator's own folder are billed, so old forecasts of them are not checked.
  const isTooOld = sql`(
    settings -> 'source' ->> 'type' = 'warehouse_table' AND settings -> 'source' ->> 'table' NOT LIKE 'local.%'
    AND finished_at < now() - interval '90 days') IS TRUE`;
  await sql`
    INSERT INTO forecast_outcome (forecast_id, status, reason, next_check_at)
    SELECT id,
      CASE WHEN ${isTooOld} THEN 'unavailable' ELSE 'waiting' END,
      CASE WHEN ${isTooOld} THEN 'Reads of this table are billed. The forecast completed more than 90 days before outcomes were collected.' END,
      CASE WHEN settings -> 'source' ->> 'type' <> 'workspace_csv' AND NOT (${isTooOld}) THEN finished_at END
    FROM forecast WHERE status = 'completed'`.execute(db);
}
