import { type Kysely, sql } from 'kysely';

/** The CPU seconds that the canceled and failed forecasts of each payer have used in an hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE unpaid_cpu (
      payer text PRIMARY KEY,
      hour timestamptz NOT NULL,
      seconds double precision NOT NULL
    )`.execute(db);
}
