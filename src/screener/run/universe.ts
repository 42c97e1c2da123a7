import { sql } from 'kysely';
import { listAllSymbols } from '../../market/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { ScreenerRunContext } from '../context.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import { firstRecentSession, formatSession } from './session-dates.ts';

/** The symbols that the run of a session covers. */
export interface Universe {
  /** Symbols that providers list or that have metrics from recent runs. */
  readonly trusted: readonly string[];
  /** Symbols that only filters list. They are read separately, so that their errors do not affect the trusted ones. */
  readonly filterOnly: readonly string[];
  isTrusted(symbol: string): boolean;
  /** Returns whether recent runs stored metrics of the symbol. */
  hasRecentMetrics(symbol: string): boolean;
  /**
   * Returns whether all filters can match the symbol and the run waits for it; false for a symbol that only filters
   * list.
   */
  isShared(symbol: string): boolean;
}

export async function readUniverse(
  { database, market, log }: Pick<ScreenerRunContext, 'database' | 'market' | 'log'>,
  session: number,
  signal?: AbortSignal,
): Promise<Universe> {
  const { symbols, isComplete, failures } = await listAllSymbols(market, signal);
  for (const error of failures) log.warn({ err: error }, 'listing the symbols of a provider failed');
  const listed = new Set(symbols);
  const recent = new Set(await readSymbolsBetween(database, firstRecentSession(session), session));
  const inFilters = await readFilterSymbols(database, session);
  const trusted = [...new Set([...listed, ...recent])].sort();
  // If the lists of the providers are incomplete, it is unknown which symbols only filters list.
  const isListComplete = isComplete && listed.size > 0;
  const filterSymbols = new Set(inFilters);
  return {
    trusted,
    filterOnly: inFilters.filter((symbol) => !listed.has(symbol) && !recent.has(symbol)),
    isTrusted: (symbol) => listed.has(symbol) || recent.has(symbol),
    hasRecentMetrics: (symbol) => recent.has(symbol),
    isShared: (symbol) => !isListComplete || listed.has(symbol) || !filterSymbols.has(symbol),
  };
}

/** Returns the symbols with stored metrics at a session. */
export async function symbolsWithMetrics(executor: Executor, session: SessionDate): Promise<readonly string[]> {
  const { rows } = await sql<{ symbol: string }>`
    SELECT symbol FROM daily_metrics WHERE session = ${session}::date
  `.execute(executor.query());
  return rows.map(({ symbol }) => symbol);
}

/** @param end exclusive */
async function readSymbolsBetween(executor: Executor, start: number, end: number): Promise<readonly string[]> {
  const { rows } = await sql<{ symbol: string }>`
    SELECT DISTINCT symbol FROM daily_metrics
    WHERE session >= ${formatSession(start)}::date AND session < ${formatSession(end)}::date
  `.execute(executor.query());
  return rows.map(({ symbol }) => symbol);
}

/**
 * Returns the symbols of all filters. Symbols of different accounts alternate, in an order that changes with each
 * session: reading from a provider may stop early, and the long list of one account must not displace the lists of
 * others.
 */
async function readFilterSymbols(executor: Executor, session: number): Promise<readonly string[]> {
  const { rows } = await sql<{ symbol: string }>`
    SELECT symbol FROM (
      SELECT symbol, row_number() OVER (PARTITION BY account_id ORDER BY md5(symbol || ${formatSession(session)})) AS turn
      FROM (SELECT DISTINCT account_id, unnest(universe) AS symbol FROM screener_filter) AS wanted
    ) AS ranked
    GROUP BY symbol ORDER BY min(turn), symbol COLLATE "C"
  `.execute(executor.query());
  return rows.map(({ symbol }) => symbol);
}
