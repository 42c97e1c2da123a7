import { sql } from 'kysely';
import { MAX_FIRST_MATCHES } from '../../contract/index.ts';
import { type Executor, openCursor, type PageRequest, sealCursor } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import { sessionsCursorInvalid } from '../faults.ts';
import { latestSession } from '../run/stored-sessions.ts';
import type { ScreenerTables } from '../tables.ts';
import { findFilter } from './find-filter.ts';

/** The result of a filter in the latest evaluated session. */
export interface LatestResult {
  readonly session: SessionDate;
  /** False if the filter was created after the session was evaluated. */
  readonly evaluated: boolean;
  readonly total: number;
  readonly newTotal: number;
  /** New matches first, then by symbol. */
  readonly firstMatches: readonly { readonly symbol: string; readonly isNew: boolean }[];
}

/** Returns the result of a filter of an account in the latest evaluated session, by the id of the filter. */
export type LatestResults = (filterId: string) => LatestResult | null;

/** Reads the results of all filters of an account in the latest evaluated session. */
export async function readLatestResults(executor: Executor, accountId: string): Promise<LatestResults> {
  const session = await latestSession(executor);
  if (session === null) return () => null;
  const count = sql<number>`${MAX_FIRST_MATCHES}::int`;
  const { rows } = await sql<ResultRow>`
    SELECT filter_id, cardinality(symbols) AS total, cardinality(new_symbols) AS new_total,
      new_symbols[1:${count}] AS new_symbols, ARRAY(
        SELECT symbol FROM unnest(symbols) WITH ORDINALITY AS s(symbol, place)
        WHERE NOT symbol = ANY(new_symbols) ORDER BY place LIMIT ${count}
      ) AS other_symbols
    FROM screener_result JOIN screener_filter AS filter ON filter.id = filter_id
    WHERE account_id = ${accountId} AND session = ${session}::date
  `.execute(executor.query());
  const results = new Map(rows.map((row) => [row.filter_id, row]));
  return (id) => viewResult(session, results.get(id));
}

interface ResultRow {
  readonly filter_id: string;
  readonly total: number;
  readonly new_total: number;
  readonly new_symbols: readonly string[];
  readonly other_symbols: readonly string[];
}

function viewResult(session: SessionDate, row: ResultRow | undefined): LatestResult {
  if (row === undefined) return { session, evaluated: false, total: 0, newTotal: 0, firstMatches: [] };
  const { total, new_total: newTotal, new_symbols: fresh, other_symbols: others } = row;
  const matches = [
    ...fresh.map((symbol) => ({ symbol, isNew: true })),
    ...others.map((symbol) => ({ symbol, isNew: false })),
  ];
  return { session, evaluated: true, total, newTotal, firstMatches: matches.slice(0, MAX_FIRST_MATCHES) };
}

/** The position in a list of sessions. */
interface SessionsPosition {
  readonly before: SessionDate;
}

/** Returns a page of the sessions for which a filter was evaluated, newest first. */
export async function listSessions(
  context: ScreenerContext,
  accountId: string,
  { id, limit, cursor }: PageRequest & { readonly id: string },
) {
  await findFilter(context.database, accountId, id);
  const key = await context.cursorKey();
  const list = `sessions of ${id}`;
  const position = cursor === undefined ? null : (openCursor(key, list, cursor) as SessionsPosition | null);
  if (cursor !== undefined && position === null) throw sessionsCursorInvalid();
  const found = await context.database
    .query<ScreenerTables>()
    .selectFrom('screener_result as result')
    .leftJoin('screener_run as run', 'run.session', 'result.session')
    .select([
      'result.session',
      'run.completed_at',
      sql<number>`cardinality(result.symbols)`.as('total'),
      sql<number>`cardinality(result.new_symbols)`.as('new_total'),
    ])
    .where('result.filter_id', '=', id)
    .$if(position !== null, (all) => all.where('result.session', '<', position?.before ?? ''))
    .orderBy('result.session', 'desc')
    .limit(limit + 1)
    .execute();
  const sessions = found.slice(0, limit);
  const last = found.length > limit ? sessions.at(-1) : undefined;
  const next: SessionsPosition | undefined = last && { before: last.session };
  return { sessions, nextCursor: next ? sealCursor(key, list, next) : null };
}
