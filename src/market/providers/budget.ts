import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import type { MarketTables } from '../tables.ts';

/** The bucket holds a minute's requests divided by this number. That many requests may be sent without a pause. */
const BURST_SHARE = 6;

/** Returns how many requests may be sent without a pause. */
export function budgetCapacity(requestsPerMinute: number): number {
  return Math.max(1, requestsPerMinute / BURST_SHARE);
}

/**
 * Takes a token for one request to a provider. All processes share one bucket per provider. It refills at a constant
 * rate by the clock of the database, so that the clocks of the processes need not agree.
 *
 * @returns 0 if a token was taken, otherwise the milliseconds after which to call again
 */
export async function takeToken(executor: Executor, provider: string, requestsPerMinute: number): Promise<number> {
  const capacity = budgetCapacity(requestsPerMinute);
  const available = tokensNow(capacity, requestsPerMinute);
  const { rows } = await sql`
    INSERT INTO provider_budget AS b (provider, tokens, refilled_at)
    VALUES (${provider}, ${capacity}::float8 - 1, clock_timestamp())
    ON CONFLICT (provider) DO UPDATE SET tokens = ${available} - 1, refilled_at = clock_timestamp()
    WHERE ${available} >= 1
    RETURNING provider
  `.execute(executor.query<MarketTables>());
  return rows.length === 1 ? 0 : await millisecondsToWait(executor, provider, requestsPerMinute);
}

async function millisecondsToWait(executor: Executor, provider: string, requestsPerMinute: number): Promise<number> {
  const { rows } = await sql<{ missing: number }>`
    SELECT 1 - ${tokensNow(budgetCapacity(requestsPerMinute), requestsPerMinute)} AS missing
    FROM provider_budget AS b WHERE provider = ${provider}
  `.execute(executor.query<MarketTables>());
  const seconds = (rows[0]?.missing ?? 0) / (requestsPerMinute / 60);
  return Math.max(1, Math.ceil(seconds * 1_000));
}

/**
 * Returns SQL for the tokens that are now in the bucket `b`. If the clock was set back, the difference counts as
 * elapsed time, so that the bucket does not stay empty until the clock has caught up.
 */
function tokensNow(capacity: number, requestsPerMinute: number): RawBuilder<number> {
  return sql`least(
    ${capacity}::float8,
    b.tokens + abs(extract(epoch FROM clock_timestamp() - b.refilled_at))::float8 * ${requestsPerMinute / 60}::float8
  )`;
}
