import { countSessions, DAY_MS, HOUR_MS, sessionHours } from '../../calendar/index.ts';
import type { BarTable } from '../bars.ts';
import { collectDays } from '../providers/collect-days.ts';
import type { BulkProvider } from '../providers/provider.ts';
import { NO_BARS } from '../store/bar-tables.ts';
import { storeDays } from '../store/store-days.ts';
import { type DayCoverage, readDayCoverage } from './day-coverage.ts';
import { type FillRun, isOfSymbols } from './fill-run.ts';
import { sessionBefore } from './session-day.ts';

/** Symbols that are read with one query. */
interface SymbolGroup {
  readonly symbols: readonly string[];
  /** The first session to read. */
  readonly start: number;
}

/** The largest number of groups that are split because a single symbol may be the cause of an invalid reply. */
const MAX_SPLITS = 50;

/**
 * Reads the missing days of all symbols, group by group. Symbols whose stored days have changed are read alone.
 *
 * @returns whether the session is complete; false if the provider does not have its bars yet
 */
export async function fillBySymbols(run: FillRun, provider: BulkProvider): Promise<boolean> {
  const { context, session, signal } = run;
  const coverage = await readDayCoverage(context.database, provider);
  const missing = run.symbols.flatMap((symbol) => {
    const start = firstMissing(coverage.get(symbol), run);
    return start === null ? [] : [{ symbol, start }];
  });
  const total = run.symbols.length;
  let done = total - missing.length;
  await run.report({ total, done });
  let isPublished = [...coverage.values()].some(({ lastBar }) => lastBar !== null && lastBar >= session);
  const groups = groupSymbols(missing, session, provider.bulk.maxSymbols);
  let splits = 0;
  for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
    const { symbols, start } = group;
    const query = { symbols, adjustment: 'split', start, end: session + DAY_MS } as const;
    const at = run.now();
    let days: ReadonlyMap<string, BarTable>;
    try {
      days = await collectDays(provider, query, { http: run.openClient(), at, signal });
    } catch (error) {
      if (!isOfSymbols(error)) throw error;
      if (symbols.length > 1 && splits++ < MAX_SPLITS) {
        // Last, so that the replies for other symbols, which are valid, keep the breaker of the provider closed.
        groups.push(...halve(group));
        continue;
      }
      run.skip(symbols, error);
      done += symbols.length;
      continue;
    }
    isPublished ||= isSessionPublished(days, session);
    if (!isPublished) return false;
    const isFinal = at >= sessionHours(session).close + LATE_MS;
    const rows = new Map<string, BarTable>();
    const late = new Map<string, BarTable>();
    for (const symbol of symbols) {
      const bars = days.get(symbol) ?? NO_BARS;
      (isFinal || !isLate(bars, session) ? rows : late).set(symbol, bars);
    }
    const changed = await storeDays(context, provider, rows, { start, end: query.end, at });
    // The session is not stored for late symbols, so that the next attempt reads it.
    const lateChanged = await storeDays(context, provider, late, { start, end: session, at });
    await run.readAlone([...changed, ...lateChanged]);
    done += rows.size;
    await run.report({ total, done });
  }
  return done === total;
}

/** Returns the first session to read: the last settled bar, to compare it; null if nothing is missing. */
function firstMissing(coverage: DayCoverage | undefined, { first, session }: FillRun): number | null {
  if (coverage === undefined || coverage.from > first) return first;
  if (coverage.to > session) return null;
  return Math.max(first, coverage.settledBar ?? first);
}

/** Groups that need at most this number of sessions are joined, because their bars fit into one page. */
const FEW_SESSIONS = 40;

/** Returns groups of symbols that need a similar number of sessions, those with the fewest first. */
function groupSymbols(
  missing: readonly { readonly symbol: string; readonly start: number }[],
  session: number,
  maxSymbols: number,
): SymbolGroup[] {
  const groups: { symbols: string[]; start: number; fewest: number }[] = [];
  for (const { symbol, start } of missing.toSorted((a, b) => b.start - a.start)) {
    const sessions = countSessions(start, session) + 1;
    const group = groups.at(-1);
    const isSimilar = group !== undefined && sessions <= Math.max(FEW_SESSIONS, 2 * group.fewest);
    if (group === undefined || !isSimilar || group.symbols.length === maxSymbols) {
      groups.push({ symbols: [symbol], start, fewest: sessions });
    } else {
      group.symbols.push(symbol);
      group.start = start;
    }
  }
  return groups;
}

function halve({ symbols, start }: SymbolGroup): readonly SymbolGroup[] {
  const middle = Math.ceil(symbols.length / 2);
  return [
    { symbols: symbols.slice(0, middle), start },
    { symbols: symbols.slice(middle), start },
  ];
}

/** How many sessions before a session count as recent: a week of sessions. */
const RECENT_SESSIONS = 5;

/** How long after the close a bar may arrive. A symbol without one then counts as not traded. */
const LATE_MS = HOUR_MS;

/** Returns whether a symbol that was traded shortly before a session has no bar of it. */
function isLate({ timestamps }: BarTable, session: number): boolean {
  const last = timestamps.at(-1);
  return last !== undefined && last < session && last >= sessionBefore(session, RECENT_SESSIONS);
}

/** Returns whether a provider has the bars of a session: at least as many symbols have one as are late. */
function isSessionPublished(days: ReadonlyMap<string, BarTable>, session: number): boolean {
  const all = [...days.values()];
  const published = all.filter(({ timestamps }) => timestamps.at(-1) === session).length;
  return published >= all.filter((bars) => isLate(bars, session)).length;
}
