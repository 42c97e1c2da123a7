import { latestClosedSession, MINUTE_MS } from '../../calendar/index.ts';
import { SCREENER_FIELDS, type ScreenerField } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { ScreenerRunContext } from '../context.ts';
import { type Preview, previewFilterOn } from '../evaluate/evaluate.ts';
import type { FilterRules } from '../evaluate/filter-rules.ts';
import { type MetricsSource, metricsFromRows, type SessionDate, storedMetrics } from '../evaluate/metrics-source.ts';
import { notASession, sessionNotFinal, sessionWithoutBars } from '../faults.ts';
import type { DailyMetricsTable, ScreenerTables } from '../tables.ts';
import { type AbsentClose, readCloses } from './read-closes.ts';
import { formatSession, isSessionDate, parseSession } from './session-dates.ts';
import { previousRun } from './stored-sessions.ts';
import { readUniverse } from './universe.ts';

export interface ReplayRequest {
  readonly session: SessionDate;
  /** A filter to evaluate in addition to the stored ones. */
  readonly preview?: FilterRules | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `is_new` means what `new` means in the API: the previous run did not match the symbol. */
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
  const all = { rows: [] as DailyMetricsTable[], absent: [] as AbsentClose[], providers: [] as string[] };
  for (const symbols of [universe.trusted, universe.filterOnly]) {
    const day = parseSession(session);
    for await (const batch of readCloses(market, { symbols, session: day, universe, at, signal })) {
      for (const key of ['rows', 'absent', 'providers'] as const) (all[key] as unknown[]).push(...batch[key]);
    }
  }
  const { rows, absent, providers } = all;
  if (rows.length === 0) throw sessionWithoutBars(session);
  const metrics = metricsFromRows(rows);
  const filters: Replay['filters'][number][] = [];
  for (const { id, name, earlier, ...rules } of await readStoredFilters(database, session)) {
    filters.push({ id, name, ...(await replayFilter(database, metrics, rules, earlier)) });
  }
  return {
    session,
    providers: [...new Set(providers)],
    missing: absent.map(({ symbol }) => symbol).sort(),
    metrics: rows.map(selectFields),
    filters,
    ...(preview && { preview: await replayPreview(database, metrics, preview, session) }),
  };
}

/** Selects the fields without the previous values, which only matches of a crossing show. */
function selectFields(row: DailyMetricsTable): Replay['metrics'][number] {
  const names = ['symbol', ...SCREENER_FIELDS] as const;
  return Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as Replay['metrics'][number];
}

/** @param earlier the symbols that the filter matched in the previous run */
async function replayFilter(
  executor: Executor,
  metrics: MetricsSource,
  rules: FilterRules,
  earlier: readonly string[],
): Promise<ReplayedMatches> {
  const { total, matches } = await previewFilterOn(executor, metrics, rules, null);
  const matchedBefore = new Set(earlier);
  return { total, matches: matches.map((match) => ({ ...match, is_new: !matchedBefore.has(match.symbol) })) };
}

/** Evaluates a filter that is not stored. No run has evaluated it, so it is also evaluated on the previous run's metrics. */
async function replayPreview(
  executor: Executor,
  metrics: MetricsSource,
  rules: FilterRules,
  session: SessionDate,
): Promise<ReplayedMatches> {
  const earlier = await previewFilterOn(executor, storedMetrics(previousRun(session)), rules, null);
  const symbols = earlier.matches.map(({ symbol }) => symbol);
  return replayFilter(executor, metrics, rules, symbols);
}

interface StoredFilter extends FilterRules {
  readonly id: string;
  readonly name: string;
  /** The symbols that the filter matched in the previous run; empty if that run did not evaluate it. */
  readonly earlier: readonly string[];
}

async function readStoredFilters(executor: Executor, session: SessionDate): Promise<StoredFilter[]> {
  const rows = await executor
    .query<ScreenerTables>()
    .selectFrom('screener_filter as f')
    .leftJoin('screener_result as r', (join) =>
      join.onRef('r.filter_id', '=', 'f.id').on('r.session', '=', previousRun(session)),
    )
    .select(['f.id', 'f.name', 'f.universe', 'f.combine', 'f.conditions', 'r.symbols'])
    .orderBy('f.id')
    .execute();
  return rows.map(({ universe, symbols, ...filter }) => ({
    ...filter,
    universe: universe ?? 'all',
    earlier: symbols ?? [],
  }));
}

function requireFinalSession(session: SessionDate, latest: number): void {
  if (!isSessionDate(session)) throw notASession(session);
  if (parseSession(session) > latest) throw sessionNotFinal(session, formatSession(latest));
}
