import { type Kysely, sql } from 'kysely';

/**
 * The request budgets and circuit breakers of providers. They may be lost in a crash: every provider then has a full
 * budget and a closed breaker. The table is therefore kept out of the write-ahead log.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE UNLOGGED TABLE provider_state (
      provider text PRIMARY KEY,
      requests_per_minute double precision NOT NULL,
      tokens double precision NOT NULL,
      refilled_at timestamptz NOT NULL,
      failures integer NOT NULL DEFAULT 0,
      opened_at timestamptz,
      opened_until timestamptz,
      trial text,
      trial_until timestamptz,
      last_success_at timestamptz,
      last_failure_at timestamptz,
      last_fault text,
      CHECK (num_nulls(opened_at, opened_until) IN (0, 2)),
      CHECK (num_nulls(trial, trial_until) IN (0, 2)),
      CHECK (num_nulls(last_failure_at, last_fault) IN (0, 2))
    )`.execute(db);
}
