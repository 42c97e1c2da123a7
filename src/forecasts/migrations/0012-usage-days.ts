import { type Kysely, sql } from 'kysely';

/**
 * What each account used on each day (UTC). Credits of earlier days come from the ledger, except those of removed
 * forecasts, of which the ledger knows only the month. Slots and bytes are recorded from today on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE usage_day (
      account_id text NOT NULL,
      day text NOT NULL,
      credits integer NOT NULL DEFAULT 0,
      peak_slots integer,
      bytes bigint,
      PRIMARY KEY (account_id, day)
    )`.execute(db);
  await sql`CREATE INDEX usage_day_by_age ON usage_day (day)`.execute(db);
  await sql`CREATE TABLE usage_start (day text NOT NULL)`.execute(db);
  await sql`INSERT INTO usage_start (day) VALUES (to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'))`.execute(db);
  await sql`
    INSERT INTO usage_day (account_id, day, credits)
    SELECT reserved.owner, to_char(reserved.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(spent.amount)
    FROM ledger_entry AS spent
    JOIN ledger_entry AS reserved
      ON reserved.transfer = 'reserve:' || spent.forecast_id AND reserved.ledger_account = 'reserved'
    WHERE spent.ledger_account = 'spent' AND spent.transfer = 'capture:' || spent.forecast_id
      AND EXISTS (SELECT 1 FROM account WHERE account.id = reserved.owner)
    GROUP BY reserved.owner, 2`.execute(db);
}
