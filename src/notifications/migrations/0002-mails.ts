import { type Kysely, sql } from 'kysely';

/** Which emails about forecasts accounts want, the emails, and what they list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE notification_choice (
      account_id text PRIMARY KEY REFERENCES account ON DELETE CASCADE,
      forecasts boolean NOT NULL,
      outcomes boolean NOT NULL,
      updated_at timestamptz NOT NULL
    )`.execute(db);
  await sql`
    CREATE TABLE notification_mail (
      id text PRIMARY KEY,
      account_id text NOT NULL REFERENCES notification_choice ON DELETE CASCADE,
      state text NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'skipped')),
      attempts integer NOT NULL DEFAULT 0,
      attempted_at timestamptz,
      send_at timestamptz NOT NULL,
      ended_at timestamptz,
      created_at timestamptz NOT NULL,
      CONSTRAINT notification_mail_ended CHECK ((state IN ('queued', 'sending')) = (ended_at IS NULL))
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX notification_mail_open ON notification_mail (account_id) WHERE ended_at IS NULL`.execute(
    db,
  );
  await sql`CREATE INDEX notification_mail_by_account ON notification_mail (account_id, id DESC)`.execute(db);
  await sql`
    CREATE INDEX notification_mail_attempted ON notification_mail (account_id, ended_at DESC) WHERE attempts > 0`.execute(
    db,
  );
  await sql`CREATE INDEX notification_mail_created ON notification_mail (created_at)`.execute(db);
  await sql`
    CREATE TABLE notification_line (
      event_id text PRIMARY KEY,
      account_id text NOT NULL REFERENCES notification_choice ON DELETE CASCADE,
      type text NOT NULL CHECK (type IN ('forecast.completed', 'forecast.failed', 'forecast.outcome')),
      forecast_id text NOT NULL,
      mail_id text REFERENCES notification_mail ON DELETE CASCADE,
      created_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX notification_line_waiting ON notification_line (account_id) WHERE mail_id IS NULL`.execute(db);
  await sql`CREATE INDEX notification_line_by_mail ON notification_line (mail_id) WHERE mail_id IS NOT NULL`.execute(
    db,
  );
  await sql`CREATE INDEX notification_line_created ON notification_line (created_at)`.execute(db);
}
