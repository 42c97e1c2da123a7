import { type Kysely, sql } from 'kysely';

/** The request budgets of providers. They may be lost in a crash, so the table is kept out of the write-ahead log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE UNLOGGED TABLE provider_budget (
      provider text PRIMARY KEY,
      tokens double precision NOT NULL,
      refilled_at timestamptz NOT NULL
    )`.execute(db);
}
