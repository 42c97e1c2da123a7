import { type Kysely, sql } from 'kysely';

/** What was reserved for a forecast is taken back once, whether it is spent then or available again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE UNIQUE INDEX ledger_settled_once ON ledger_entry (forecast_id)
    WHERE ledger_account = 'reserved' AND transfer NOT LIKE 'reserve:%'`.execute(db);
}
