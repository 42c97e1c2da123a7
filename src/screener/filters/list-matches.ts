import { sql } from 'kysely';
import { MAX_MISSING_SYMBOLS } from '../../contract/index.ts';
import { type Executor, openCursor, type PageRequest, sealCursor } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import { matchesCursorInvalid, notASession } from '../faults.ts';
import { isSessionDate } from '../run/session-dates.ts';
import { latestSession } from '../run/stored-sessions.ts';
import type { ScreenerMatchTable, ScreenerRunTable, ScreenerTables } from '../tables.ts';
import { findFilter } from './find-filter.ts';
import { readRecentCloses } from './recent-closes.ts';

export interface MatchesRequest extends PageRequest {
  readonly id: string;
  readonly session?: SessionDate | undefined;
  /** Whether only new matches are listed. */
  readonly onlyNew?: boolean | undefined;
}

export interface MatchesPage {
  readonly session: SessionDate | null;
  readonly run: FilterRun | null;
  /** Whether the filter was evaluated for the session; false if the filter was created later. */
  readonly evaluated: boolean;
  /** The number of all matches of the session. */
  readonly total: number;
  readonly newTotal: number;
  readonly matches: readonly (Pick<ScreenerMatchTable, 'symbol' | 'values' | 'is_new'> & {
    readonly recentCloses: readonly number[];
  })[];
  readonly nextCursor: string | null;
}

/**
 * The position in a list of matches. It includes the session, because the latest session may change between two pages.
 */
interface MatchesPosition {
  readonly session: SessionDate;
  readonly after: string;
}

/** Returns a page of the matches of a filter in a session, by symbol. */
export async function listMatches(
  context: ScreenerContext,
  accountId: string,
  { id, session: requested, onlyNew = false, limit, cursor }: MatchesRequest,
): Promise<MatchesPage> {
  if (requested !== undefined && !isSessionDate(requested)) throw notASession(requested);
  const filter = await findFilter(context.database, accountId, id);
  const key = await context.cursorKey();
  const list = `${onlyNew ? 'new ' : ''}matches of ${id} in ${requested ?? 'the latest session'}`;
  const position = cursor === undefined ? null : (openCursor(key, list, cursor) as MatchesPosition | null);
  if (cursor !== undefined && position === null) throw matchesCursorInvalid();
  const session = position?.session ?? requested ?? (await latestSession(context.database));
  if (session === null) return { ...NO_MATCHES, session, run: null };
  const run = await readRun(context.database, session, filter.universe);
  const counts = await countMatches(context, id, session);
  if (counts === null) return { ...NO_MATCHES, session, run };
  const found = await readMatches(context, id, session, { after: position?.after ?? null, limit: limit + 1, onlyNew });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const next: MatchesPosition | undefined = last && { session, after: last.symbol };
  const symbols = page.map(({ symbol }) => symbol);
  const closes = await readRecentCloses(context.database, session, symbols);
  const matches = page.map((match) => ({ ...match, recentCloses: closes.get(match.symbol) ?? [] }));
  return { session, run, evaluated: true, ...counts, matches, nextCursor: next ? sealCursor(key, list, next) : null };
}

const NO_MATCHES = { evaluated: false, total: 0, newTotal: 0, matches: [], nextCursor: null } as const;

/** Counts the matches of a filter in a session. Returns null if the filter was not evaluated for the session. */
async function countMatches({ database }: ScreenerContext, filterId: string, session: SessionDate) {
  const result = await database
    .query<ScreenerTables>()
    .selectFrom('screener_result')
    .select([sql<number>`cardinality(symbols)`.as('total'), sql<number>`cardinality(new_symbols)`.as('newTotal')])
    .where('filter_id', '=', filterId)
    .where('session', '=', session)
    .executeTakeFirst();
  return result ?? null;
}

async function readMatches(
  { database }: ScreenerContext,
  filterId: string,
  session: SessionDate,
  { after, limit, onlyNew }: { readonly after: string | null; readonly limit: number; readonly onlyNew: boolean },
) {
  const matches = database
    .query<ScreenerTables>()
    .selectFrom('screener_match')
    .where('filter_id', '=', filterId)
    .where('session', '=', session);
  // With this collation, the order does not depend on the locale of the database.
  const bySymbol = sql<string>`symbol COLLATE "C"`;
  const page = await matches
    .select('symbol')
    .$if(onlyNew, (all) => all.where('is_new', '=', true))
    .$if(after !== null, (all) => all.where(bySymbol, '>', after ?? ''))
    .orderBy(bySymbol)
    .limit(limit)
    .execute();
  // Values are read only for this page, because reading the values of thousands of matches is slow.
  const symbols = page.map(({ symbol }) => symbol);
  return matches
    .select(['symbol', 'values', 'is_new'])
    .where((where) => where('symbol', '=', where.fn.any(where.val(symbols))))
    .orderBy(bySymbol)
    .execute();
}

/** The state of the run of a session, for one filter. */
interface FilterRun extends Pick<ScreenerRunTable, 'state' | 'completed_at'> {
  /** The first symbols of the filter that have no metrics. */
  readonly missing: readonly string[];
}

/** @param universe the symbols of the filter; null for all symbols */
async function readRun(
  executor: Executor,
  session: SessionDate,
  universe: readonly string[] | null,
): Promise<FilterRun | null> {
  const run = await executor
    .query<ScreenerTables>()
    .selectFrom('screener_run')
    .select(['state', 'completed_at', 'missing'])
    .where('session', '=', session)
    .executeTakeFirst();
  if (run === undefined) return null;
  // For a filter without a list, these are the symbols that the run waited for.
  const missing =
    universe === null
      ? run.missing.slice(0, MAX_MISSING_SYMBOLS)
      : await findSymbolsWithoutMetrics(executor, session, universe);
  return { ...run, missing };
}

/**
 * Returns the first symbols of a list that have no metrics in a session: the run has not covered them, or their close
 * is missing.
 */
export async function findSymbolsWithoutMetrics(
  executor: Executor,
  session: SessionDate,
  symbols: readonly string[],
): Promise<string[]> {
  const rows = await executor
    .query<ScreenerTables>()
    .selectFrom('daily_metrics')
    .select('symbol')
    .where('session', '=', session)
    .where((where) => where('symbol', '=', where.fn.any(where.val([...symbols]))))
    .execute();
  const covered = new Set(rows.map(({ symbol }) => symbol));
  return symbols.filter((symbol) => !covered.has(symbol)).slice(0, MAX_MISSING_SYMBOLS);
}
