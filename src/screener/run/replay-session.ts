import { previousSession } from '../../calendar/index.ts';
import { Fault, SCREENER_FIELDS, type ScreenerField } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { type Preview, previewOn } from '../evaluate/evaluate.ts';
import { type Metrics, metricsIn, type SessionDate } from '../evaluate/metrics-source.ts';
import type { FilterRules } from '../evaluate/rules.ts';
import type { DailyMetricsTable, ScreenerTables } from '../tables.ts';
import type { ScreenerRunContext } from './context.ts';
import { type Absent, readCloses } from './read-closes.ts';
import { dueSession, isSessionDate, sessionDate, sessionDay } from './session-dates.ts';
import { universeOf } from './universe.ts';

export interface ReplayRequest {
  readonly session: SessionDate;
  /** Asked besides the stored filters. */
  readonly preview?: FilterRules | undefined;
  readonly signal?: AbortSignal | undefined;
}

type ReplayedMatches = Omit<Preview, 'matches'> & {
  readonly matches: readonly (Preview['matches'][number] & { readonly is_new: boolean })[];
};

export interface Replay {
  readonly session: SessionDate;
  readonly providers: readonly string[];
  /** Traded lately and not in this session, or not to be had. */
  readonly missing: readonly string[];
  readonly metrics: readonly Pick<DailyMetricsTable, 'symbol' | ScreenerField>[];
  readonly filters: readonly ({ readonly id: string; readonly name: string } & ReplayedMatches)[];
  readonly preview?: ReplayedMatches;
}

/** What a run of a past session would find with today's filters. Stores nothing. */
export async function replaySession(
  context: Pick<ScreenerRunContext, 'database' | 'clock' | 'log' | 'market' | 'lagMinutes'>,
  { session, preview, signal }: ReplayRequest,
): Promise<Replay> {
  const { database, clock, market, lagMinutes } = context;
  const at = clock.now().getTime();
  refuseNoSession(session, dueSession(at, lagMinutes * 60_000));
  const universe = await universeOf(context, sessionDay(session), signal);
  const read = async (day: number) => {
    const all = { rows: [] as DailyMetricsTable[], absent: [] as Absent[], providers: [] as string[] };
    for (const symbols of [universe.trusted, universe.named]) {
      for await (const some of readCloses(market, { symbols, session: day, universe, at, signal })) {
        for (const key of ['rows', 'absent', 'providers'] as const) (all[key] as unknown[]).push(...some[key]);
      }
    }
    return all;
  };
  const { rows, absent, providers } = await read(sessionDay(session));
  if (rows.length === 0) throw new Fault('UNPROCESSABLE', `session: nobody here has bars of ${session}.`);
  const before = await read(previousSession(sessionDay(session)));
  const [now, earlier] = [metricsIn(rows), metricsIn(before.rows)];
  const filters: Replay['filters'][number][] = [];
  for (const { id, name, ...rules } of await storedFilters(database)) {
    filters.push({ id, name, ...(await matchesOf(database, now, earlier, rules)) });
  }
  return {
    session,
    providers: [...new Set(providers)],
    missing: absent.map(({ symbol }) => symbol).sort(),
    metrics: rows.map(shown),
    filters,
    ...(preview && { preview: await matchesOf(database, now, earlier, preview) }),
  };
}

/** What a session before had is in the values of what crossed. */
function shown(row: DailyMetricsTable): Replay['metrics'][number] {
  const names = ['symbol', ...SCREENER_FIELDS] as const;
  return Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as Replay['metrics'][number];
}

async function matchesOf(
  executor: Executor,
  now: Metrics,
  earlier: Metrics,
  rules: FilterRules,
): Promise<ReplayedMatches> {
  const { total, matches } = await previewOn(executor, now, rules, null);
  const matchedBefore = new Set((await previewOn(executor, earlier, rules, null)).matches.map(({ symbol }) => symbol));
  return { total, matches: matches.map((match) => ({ ...match, is_new: !matchedBefore.has(match.symbol) })) };
}

async function storedFilters(executor: Executor): Promise<(FilterRules & { id: string; name: string })[]> {
  const rows = await executor
    .query<ScreenerTables>()
    .selectFrom('screener_filter')
    .select(['id', 'name', 'universe', 'combine', 'conditions'])
    .orderBy('id')
    .execute();
  return rows.map(({ universe, ...filter }) => ({ ...filter, universe: universe ?? 'all' }));
}

function refuseNoSession(session: SessionDate, due: number): void {
  if (!isSessionDate(session)) {
    throw new Fault('INVALID_REQUEST', `session: the exchange was not open on ${session}. Name a day on which it was.`);
  }
  if (sessionDay(session) > due) {
    throw new Fault(
      'INVALID_REQUEST',
      `session: the final closes of ${session} are not known yet; the latest are of ${sessionDate(due)}.`,
    );
  }
}
