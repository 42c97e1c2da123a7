import { sql } from 'kysely';
import { Fault } from '../../contract/index.ts';
import { openCursor, type PageRequest, sealCursor } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import { findFilter } from '../filters/find-filter.ts';
import { latestSession } from '../run/latest-session.ts';
import { isSessionDate } from '../run/session-dates.ts';
import type { ScreenerMatchTable, ScreenerTables } from '../tables.ts';
import { type ListedRun, readRun } from './read-run.ts';

export interface MatchesRequest extends PageRequest {
  readonly id: string;
  readonly session?: SessionDate | undefined;
}

export interface MatchesPage {
  readonly session: SessionDate | null;
  readonly run: ListedRun | null;
  /** Whether the session was looked at with this filter; it may be younger. */
  readonly evaluated: boolean;
  readonly total: number;
  readonly matches: readonly Pick<ScreenerMatchTable, 'symbol' | 'values' | 'is_new'>[];
  readonly nextCursor: string | null;
}

/** Where a list goes on. The session is in it: the latest may be another by the time of the next page. */
interface Place {
  readonly session: SessionDate;
  readonly after: string;
}

/** A page of what an account's filter matched in a session, by symbol. */
export async function listMatches(
  context: ScreenerContext,
  accountId: string,
  { id, session: asked, limit, cursor }: MatchesRequest,
): Promise<MatchesPage> {
  if (asked !== undefined) refuseNoSession(asked);
  const filter = await findFilter(context.database, accountId, id);
  const key = await context.cursorKey();
  const list = `matches of ${id} in ${asked ?? 'the latest session'}`;
  const place = cursor === undefined ? null : (openCursor(key, list, cursor) as Place | null);
  if (cursor !== undefined && place === null) {
    throw new Fault('INVALID_REQUEST', 'cursor: was not made for this list. Send the same session with it.');
  }
  const session = place?.session ?? asked ?? (await latestSession(context.database));
  if (session === null) return { ...NOTHING, session, run: null };
  const run = await readRun(context.database, session, filter.universe);
  const total = await countMatches(context, id, session);
  if (total === null) return { ...NOTHING, session, run };
  const found = await readMatches(context, id, session, { after: place?.after ?? null, limit: limit + 1 });
  const matches = found.slice(0, limit);
  const last = found.length > limit ? matches.at(-1) : undefined;
  const next: Place | undefined = last && { session, after: last.symbol };
  return { session, run, evaluated: true, total, matches, nextCursor: next ? sealCursor(key, list, next) : null };
}

const NOTHING = { evaluated: false, total: 0, matches: [], nextCursor: null } as const;

/** Null: the filter was not evaluated. */
async function countMatches({ database }: ScreenerContext, filterId: string, session: SessionDate) {
  const result = await database
    .query<ScreenerTables>()
    .selectFrom('screener_result')
    .select(sql<number>`cardinality(symbols)`.as('total'))
    .where('filter_id', '=', filterId)
    .where('session', '=', session)
    .executeTakeFirst();
  return result?.total ?? null;
}

async function readMatches(
  { database }: ScreenerContext,
  filterId: string,
  session: SessionDate,
  { after, limit }: { readonly after: string | null; readonly limit: number },
) {
  const matches = database
    .query<ScreenerTables>()
    .selectFrom('screener_match')
    .where('filter_id', '=', filterId)
    .where('session', '=', session);
  // In one order whatever the database's language is.
  const bySymbol = sql<string>`symbol COLLATE "C"`;
  const page = await matches
    .select('symbol')
    .$if(after !== null, (all) => all.where(bySymbol, '>', after ?? ''))
    .orderBy(bySymbol)
    .limit(limit)
    .execute();
  // The rest is looked up for these only: of thousands of matches it takes long.
  const symbols = page.map(({ symbol }) => symbol);
  return matches
    .select(['symbol', 'values', 'is_new'])
    .where((where) => where('symbol', '=', where.fn.any(where.val(symbols))))
    .orderBy(bySymbol)
    .execute();
}

function refuseNoSession(date: SessionDate): void {
  if (isSessionDate(date)) return;
  throw new Fault('INVALID_REQUEST', `session: the exchange is not open on ${date}. Name a day on which it is.`);
}
