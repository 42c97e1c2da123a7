import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../platform/index.ts';
import type { ForecastContext } from './context.ts';
import { cancelAll } from './remove-forecasts.ts';

type CancelContext = Pick<ForecastContext, 'database' | 'clock' | 'queue'>;

/** Counts the forecasts that an account created, and those of them that are queued or running. */
export async function countForecasts(
  executor: Executor,
  accountId: string,
): Promise<{ readonly forecasts: number; readonly unfinished: number }> {
  const { rows } = await sql<{ forecasts: number; unfinished: number }>`
    SELECT count(*)::int AS forecasts, count(*) FILTER (WHERE status IN ('queued', 'running'))::int AS unfinished
    FROM forecast WHERE owner = ${accountId}`.execute(executor.query());
  return rows[0] ?? { forecasts: 0, unfinished: 0 };
}

/**
 * Cancels the queued and running forecasts that an account created, after it was locked. Those that other members
 * created in its workspaces continue. @returns their number
 */
export function cancelAccountForecasts(context: CancelContext, accountId: string): Promise<number> {
  return cancel(context, sql`owner = ${accountId}`);
}

/**
 * Cancels the forecasts of all locked accounts: a request that was admitted before its account was locked may have
 * created one afterwards.
 */
export function cancelForecastsOfLocked(context: CancelContext): Promise<number> {
  return cancel(context, sql`owner IN (SELECT id FROM account WHERE locked_at IS NOT NULL)`);
}

function cancel({ database, clock, queue }: CancelContext, condition: RawBuilder<boolean>): Promise<number> {
  return database.transaction((tx) => cancelAll({ queue }, tx, condition, clock.now()));
}
