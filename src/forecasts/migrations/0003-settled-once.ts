import { type Kysely, sql } from 'kysely';

/** The reservation of a forecast is settled once, whether it is captured or released. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE UNIQUE INDEX ledger_settled_once ON ledger_entry (forecast_id)
    WHERE ledger_account = 'reserved' AND transfer NOT LIKE 'reserve:%'`.execute(db);
}
