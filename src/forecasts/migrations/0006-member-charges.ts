import { type Kysely, sql } from 'kysely';

/**
 * The forecasts that members created in workspaces of other owners, so that their credits can be limited. The row stays
 * if the forecast is removed, because its credits stay spent.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE member_charge (
      forecast_id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace ON DELETE CASCADE,
      account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
      month text NOT NULL,
      credits integer NOT NULL
    )`.execute(db);
  await sql`
    INSERT INTO member_charge (forecast_id, workspace_id, account_id, month, credits)
    SELECT id, workspace_id, account_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM'), credits
    FROM forecast WHERE workspace_id IS NOT NULL AND account_id IS NOT NULL AND payer <> owner`.execute(db);
  await sql`CREATE INDEX member_charge_by_member ON member_charge (workspace_id, account_id, month)`.execute(db);
  await sql`CREATE INDEX member_charge_by_account ON member_charge (account_id)`.execute(db);
}
