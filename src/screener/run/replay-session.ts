import { MINUTE_MS, previousSession } from '../../calendar/index.ts';
import { SCREENER_FIELDS, type ScreenerField } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { ScreenerRunContext } from '../context.ts';
import { type Preview, previewFilterOn } from '../evaluate/evaluate.ts';
import type { FilterRules } from '../evaluate/filter-rules.ts';
import { type MetricsSource, metricsFromRows, type SessionDate } from '../evaluate/metrics-source.ts';
import { notASession, sessionNotFinal, sessionWithoutBars } from '../faults.ts';
import type { DailyMetricsTable, ScreenerTables } from '../tables.ts';
import { type AbsentClose, readCloses } from './read-closes.ts';
import { formatSession, isSessionDate, latestClosedSession, parseSession } from './session-dates.ts';
import { readUniverse } from './universe.ts';

export interface ReplayRequest {
  readonly session: SessionDate;
  /** A filter to evaluate in addition to the stored ones. */
  readonly preview?: FilterRules | undefined;
  readonly signal?: AbortSignal | undefined;
}

type ReplayedMatches = Omit<Preview, 'matches'> & {
  readonly matches: readonly (Preview['matches'][number] & { readonly is_new: boolean })[];
};

export interface Replay {
  readonly session: SessionDate;
  readonly providers: readonly string[];
  /**
   * Symbols that were traded recently but have no close in this session, and symbols that a provider failed to serve.
   */
  readonly missing: readonly string[];
  readonly metrics: readonly Pick<DailyMetricsTable, 'symbol' | ScreenerField>[];
  readonly filters: readonly ({ readonly id: string; readonly name: string } & ReplayedMatches)[];
  readonly preview?: ReplayedMatches;
}

/** Returns what a run of a past session would find with the filters of today. Stores nothing. */
export async function replaySession(
  context: Pick<ScreenerRunContext, 'database' | 'clock' | 'log' | 'market' | 'lagMinutes'>,
  { session, preview, signal }: ReplayRequest,
): Promise<Replay> {
  const { database, clock, market, lagMinutes } = context;
  const at = clock.now().getTime();
  requireFinalSession(session, latestClosedSession(at, lagMinutes * MINUTE_MS));
  const universe = await readUniverse(context, parseSession(session), signal);
  const readSession = async (day: number) => {
    const all = { rows: [] as DailyMetricsTable[], absent: [] as AbsentClose[], providers: [] as string[] };
    for (const symbols of [universe.trusted, universe.filterOnly]) {
      for await (const batch of readCloses(market, { symbols, session: day, universe, at, signal })) {
        for (const key of ['rows', 'absent', 'providers'] as const) (all[key] as unknown[]).push(...batch[key]);
      }
    }
    return all;
  };
  const { rows, absent, providers } = await readSession(parseSession(session));
  if (rows.length === 0) throw sessionWithoutBars(session);
  const previous = await readSession(previousSession(parseSession(session)));
  const sources = { current: metricsFromRows(rows), previous: metricsFromRows(previous.rows) };
  const filters: Replay['filters'][number][] = [];
  for (const { id, name, ...rules } of await readStoredFilters(database)) {
    filters.push({ id, name, ...(await replayFilter(database, sources, rules)) });
  }
  return {
    session,
    providers: [...new Set(providers)],
    missing: absent.map(({ symbol }) => symbol).sort(),
    metrics: rows.map(selectFields),
    filters,
    ...(preview && { preview: await replayFilter(database, sources, preview) }),
  };
}

/** Selects the fields without the previous values, which only matches of a crossing show. */
function selectFields(row: DailyMetricsTable): Replay['metrics'][number] {
  const names = ['symbol', ...SCREENER_FIELDS] as const;
  return Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as Replay['metrics'][number];
}

async function replayFilter(
  executor: Executor,
  { current, previous }: { readonly current: MetricsSource; readonly previous: MetricsSource },
  rules: FilterRules,
): Promise<ReplayedMatches> {
  const { total, matches } = await previewFilterOn(executor, current, rules, null);
  const earlier = await previewFilterOn(executor, previous, rules, null);
  const matchedBefore = new Set(earlier.matches.map(({ symbol }) => symbol));
  return { total, matches: matches.map((match) => ({ ...match, is_new: !matchedBefore.has(match.symbol) })) };
}

async function readStoredFilters(executor: Executor): Promise<(FilterRules & { id: string; name: string })[]> {
  const rows = await executor
    .query<ScreenerTables>()
    .selectFrom('screener_filter')
    .select(['id', 'name', 'universe', 'combine', 'conditions'])
    .orderBy('id')
    .execute();
  return rows.map(({ universe, ...filter }) => ({ ...filter, universe: universe ?? 'all' }));
}

function requireFinalSession(session: SessionDate, latest: number): void {
  if (!isSessionDate(session)) throw notASession(session);
  if (parseSession(session) > latest) throw sessionNotFinal(session, formatSession(latest));
}
