import { DAY_MS, latestClosedSession, nextSession, sessionsBetween } from '../../calendar/index.ts';
import { ProviderError, type ProviderFault } from '../../platform/index.ts';
import { readDaysOfMany, type StoredDays } from '../store/store-days.ts';
import type { DaysContext, DaysRequest, SymbolDays } from '../symbol-days.ts';
import { assignSymbols, type FilledProvider, isFilled } from './assign-symbols.ts';
import { type FillState, readFillProgress } from './read-fill-progress.ts';
import { parseDay, sessionBefore } from './session-day.ts';

/** Reads the days of listed symbols, which are read in bulk, from the store. No provider is requested. */
export interface FilledDays {
  /** Returns the days of those symbols that are read in bulk. */
  read(symbols: readonly string[]): Promise<ReadonlyMap<string, SymbolDays>>;
}

/** The number of sessions after which a session is no longer read from the store, because its first bars are not there. */
const RECENT_SESSIONS = 10;

/**
 * Opens the days that are read in bulk. Returns null if there are none, or if the request is for a session long past.
 */
export async function openFilledDays(market: DaysContext, request: DaysRequest): Promise<FilledDays | null> {
  const session = sessionsBetween(request.start, request.end - DAY_MS).at(-1);
  if (!hasFilledDays(market) || session === undefined) return null;
  if (session < sessionBefore(latestClosedSession(request.at, 0), RECENT_SESSIONS)) return null;
  const context = { ...market, ...market.barStore };
  const providers = await assignSymbols(market);
  const fills = await readFillProgress(market.database);
  return {
    async read(symbols) {
      const found = new Map<string, SymbolDays>();
      const assigned = symbols.filter((symbol) => providers.has(symbol));
      for (const [provider, group] of Map.groupBy(assigned, (symbol) => providers.get(symbol) as FilledProvider)) {
        const stored = await readDaysOfMany(context, provider, group, request);
        const fill = fills.get(provider.id);
        for (const symbol of group) {
          found.set(symbol, describeDays(provider.id, symbol, stored.get(symbol), fill, { ...request, session }));
        }
      }
      return found;
    },
  };
}

type FilledContext = DaysContext & Required<Pick<DaysContext, 'database' | 'directory' | 'barStore'>>;

function hasFilledDays(market: DaysContext): market is FilledContext {
  const { database, directory, barStore } = market;
  const isOpen = database !== undefined && directory !== undefined && barStore !== undefined;
  return isOpen && market.providers.some(isFilled);
}

function describeDays(
  provider: string,
  symbol: string,
  days: StoredDays | undefined,
  fill: FillState | undefined,
  { start, session }: { readonly start: number; readonly session: number },
): SymbolDays {
  const isComplete = days !== undefined && days.to > session && days.from <= latestStart(start);
  const isFilledTo =
    (fill?.completed_session ?? null) !== null && parseDay(fill?.completed_session as string) >= session;
  if (!isComplete && !isFilledTo) {
    return { symbol, provider: null, bars: null, failure: failureOf(fill), isPending: true };
  }
  const hasBars = days !== undefined && days.bars.timestamps.length > 0;
  // A symbol that is stored, but not up to the session, was left out because of an invalid reply.
  const wasSkipped = days !== undefined && days.to <= session && fill?.completed_at !== null;
  return {
    symbol,
    provider: hasBars ? provider : null,
    bars: hasBars ? days.bars : null,
    failure: wasSkipped ? failureOf(fill) : null,
    isPending: false,
  };
}

/** Returns the session from which on the bars must be stored. A few sessions less are enough for an earlier session. */
function latestStart(start: number): number {
  let day = start;
  for (let i = 0; i < RECENT_SESSIONS; i++) day = nextSession(day);
  return day;
}

function failureOf(fill: FillState | undefined): ProviderError | null {
  const fault = fill?.last_fault ?? null;
  return fill === undefined || fault === null ? null : new ProviderError(fill.provider, fault as ProviderFault);
}
