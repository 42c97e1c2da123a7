import { sql } from 'kysely';
import { listEverySymbol } from '../../market/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import type { ScreenerRunContext } from './context.ts';
import { firstLately, sessionDate } from './session-dates.ts';

/** The symbols that a session's run looks at. */
export interface Universe {
  /** Those that providers list, and those that the last runs had numbers of. */
  readonly trusted: readonly string[];
  /** Those that nothing but a filter names. Asked for apart: what is wrong with them is nobody else's trouble. */
  readonly named: readonly string[];
  isTrusted(symbol: string): boolean;
  /** Whether the last runs had numbers of it. */
  isKnown(symbol: string): boolean;
  /** Whether all wait for it. Nobody's filters wait long for what only somebody else's names. */
  isShared(symbol: string): boolean;
}

export async function universeOf(
  { database, market, log }: Pick<ScreenerRunContext, 'database' | 'market' | 'log'>,
  session: number,
  signal?: AbortSignal,
): Promise<Universe> {
  const { symbols, isComplete, failures } = await listEverySymbol(market, signal);
  for (const error of failures) log.warn({ err: error }, 'the symbols of a provider could not be listed');
  const listed = new Set(symbols);
  const known = new Set(await symbolsBetween(database, firstLately(session), session));
  const filtered = await symbolsOfFilters(database, session);
  const trusted = [...new Set([...listed, ...known])].sort();
  // Where a provider cannot say what it has, nobody knows what only filters name.
  const isListKnown = isComplete && listed.size > 0;
  const inFilters = new Set(filtered);
  return {
    trusted,
    named: filtered.filter((symbol) => !listed.has(symbol) && !known.has(symbol)),
    isTrusted: (symbol) => listed.has(symbol) || known.has(symbol),
    isKnown: (symbol) => known.has(symbol),
    isShared: (symbol) => !isListKnown || listed.has(symbol) || !inFilters.has(symbol),
  };
}

export async function symbolsWithMetrics(executor: Executor, session: SessionDate): Promise<readonly string[]> {
  const { rows } = await sql<{ symbol: string }>`
    SELECT symbol FROM daily_metrics WHERE session = ${session}::date
  `.execute(executor.query());
  return rows.map(({ symbol }) => symbol);
}

/** @param end not included */
async function symbolsBetween(executor: Executor, start: number, end: number): Promise<readonly string[]> {
  const { rows } = await sql<{ symbol: string }>`
    SELECT DISTINCT symbol FROM daily_metrics
    WHERE session >= ${sessionDate(start)}::date AND session < ${sessionDate(end)}::date
  `.execute(executor.query());
  return rows.map(({ symbol }) => symbol);
}

/**
 * One of each account, then the next of each, in another order each session: a provider may be given up half-way, and
 * nobody's long list should be why somebody else's few never come.
 */
async function symbolsOfFilters(executor: Executor, session: number): Promise<readonly string[]> {
  const { rows } = await sql<{ symbol: string }>`
    SELECT symbol FROM (
      SELECT symbol, row_number() OVER (PARTITION BY account_id ORDER BY md5(symbol || ${sessionDate(session)})) AS turn
      FROM (SELECT DISTINCT account_id, unnest(universe) AS symbol FROM screener_filter) AS wanted
    ) AS ranked
    GROUP BY symbol ORDER BY min(turn), symbol COLLATE "C"
  `.execute(executor.query());
  return rows.map(({ symbol }) => symbol);
}
