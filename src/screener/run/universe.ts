import { sql } from 'kysely';
import { previousSession } from '../../calendar/index.ts';
import { listEverySymbol } from '../../market/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/index.ts';
import type { ScreenerRunContext } from './context.ts';
import { sessionDate, sessionDay } from './session-dates.ts';

/**
 * The symbols that a session's run looks at: those that providers list, and those that filters name. Where a provider
 * cannot say, those of the session before as well: they were its symbols then, and are waited for.
 */
export async function universeOf(
  { database, market, log }: Pick<ScreenerRunContext, 'database' | 'market' | 'log'>,
  session: SessionDate,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { symbols, failures } = await listEverySymbol(market, signal);
  for (const error of failures) log.warn({ err: error }, 'the symbols of a provider could not be listed');
  const before = sessionDate(previousSession(sessionDay(session)));
  const known = failures.length === 0 ? [] : await symbolsWithMetrics(database, before);
  return [...new Set([...symbols, ...(await symbolsOfFilters(database)), ...known])].sort();
}

export async function symbolsWithMetrics(executor: Executor, session: SessionDate): Promise<readonly string[]> {
  const { rows } = await sql<{ symbol: string }>`
    SELECT symbol FROM daily_metrics WHERE session = ${session}::date
  `.execute(executor.query());
  return rows.map(({ symbol }) => symbol);
}

async function symbolsOfFilters(executor: Executor): Promise<readonly string[]> {
  const { rows } = await sql<{ symbol: string }>`
    SELECT DISTINCT unnest(universe) AS symbol FROM screener_filter
  `.execute(executor.query());
  return rows.map(({ symbol }) => symbol);
}
