import { type Kysely, sql } from 'kysely';

/** The budgets of providers are now in `provider_state`, with their circuit breakers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP TABLE provider_budget`.execute(db);
}
