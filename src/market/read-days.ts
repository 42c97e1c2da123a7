import { MINUTE_MS } from '../calendar/index.ts';
import { openProviderClient, ProviderError } from '../platform/index.ts';
import type { BarTable } from './bars.ts';
import { openFilledDays } from './bulk/read-filled-days.ts';
import { readUnlistedDays } from './bulk/read-unlisted-days.ts';
import type { BarsContext } from './context.ts';
import { findUnsupportedReason } from './providers/capabilities.ts';
import { collectBars } from './providers/collect-bars.ts';
import { collectDays } from './providers/collect-days.ts';
import { isBulkProvider, type MarketProvider } from './providers/provider.ts';
import { deniedLicense } from './providers/route.ts';
import { type BarStoreContext, readSeries } from './store/read-series.ts';
import type { DaysContext, DaysRequest, SymbolDays } from './symbol-days.ts';

/** The number of symbols whose bars are in memory at the same time. */
const BATCH_SIZE = 500;
const MAX_DAYS = 50_000;
/** The time limit of a bulk query. Reading its pages within the budget takes long, and no caller waits for it. */
export const BULK_TOTAL_MS = 10 * MINUTE_MS;

/**
 * Yields the split-adjusted daily bars of many symbols in batches. All bars of a symbol come from the first provider
 * that has any; bars of two providers are not combined. Listed symbols of providers behind a network are read in bulk
 * beforehand, so that their bars come from the store.
 */
export async function* readDays(market: DaysContext, request: DaysRequest): AsyncGenerator<readonly SymbolDays[]> {
  const breaker = new CircuitBreaker();
  const filled = await openFilledDays(market, request);
  for (let from = 0; from < request.symbols.length; from += BATCH_SIZE) {
    request.signal?.throwIfAborted();
    const batch = request.symbols.slice(from, from + BATCH_SIZE);
    const stored = new Map(await filled?.read(batch));
    const symbols = batch.filter((symbol) => !stored.has(symbol));
    for (const days of await readBatch(market, breaker, { ...request, symbols })) stored.set(days.symbol, days);
    yield batch.map((symbol) => stored.get(symbol) as SymbolDays);
  }
}

async function readBatch(
  market: BarsContext,
  breaker: CircuitBreaker,
  request: DaysRequest,
): Promise<readonly SymbolDays[]> {
  const found = new Map<string, { readonly provider: string; readonly bars: BarTable }>();
  const failures = new Map<string, ProviderError>();
  for (const provider of market.providers) {
    if (provider.serves !== 'stocks') continue;
    const missing = request.symbols.filter((symbol) => !found.has(symbol));
    const symbols = await selectServable(market, provider, missing, request);
    const queries = split(symbols, isBulkProvider(provider) ? provider.bulk.maxSymbols : 1);
    for (let query = queries.shift(); query !== undefined; query = queries.shift()) {
      try {
        const openedBy = breaker.failureOf(provider.id);
        if (openedBy !== null) throw openedBy;
        const days = await readFrom(market, provider, { ...request, symbols: query });
        breaker.recordSuccess(provider.id);
        for (const [symbol, bars] of days) found.set(symbol, { provider: provider.id, bars });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        // A single symbol may be the cause, and the others must still get their bars.
        const isOfOneSymbol =
          SYMBOL_FAULTS.includes(error.fault) && query.length > 1 && breaker.failureOf(provider.id) === null;
        if (isOfOneSymbol && breaker.takeSplit()) {
          queries.unshift(...split(query, Math.ceil(query.length / 2)));
          continue;
        }
        if (error.fault === 'NOT_FOUND' && query.length === 1) continue;
        if (!isOfOneSymbol) breaker.recordFailure(error);
        for (const symbol of query) failures.set(symbol, error);
      }
    }
  }
  return request.symbols.map((symbol) => ({
    symbol,
    ...(found.get(symbol) ?? { provider: null, bars: null }),
    failure: failures.get(symbol) ?? null,
    isPending: false,
  }));
}

/** Faults whose cause may be a symbol rather than the provider. */
const INVALID_FAULTS: readonly ProviderError['fault'][] = ['REJECTED', 'MALFORMED'];
const SYMBOL_FAULTS: readonly ProviderError['fault'][] = ['NOT_FOUND', ...INVALID_FAULTS];

function split(symbols: readonly string[], size: number): (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  for (let from = 0; from < symbols.length; from += size) parts.push(symbols.slice(from, from + size));
  return parts;
}

/**
 * Returns the symbols that a provider supports, whose license is allowed, and that its listing does not leave out. A
 * misspelled symbol of a filter would otherwise cost a request in every session.
 */
async function selectServable(
  market: BarsContext,
  provider: MarketProvider,
  symbols: readonly string[],
  request: DaysRequest,
): Promise<readonly string[]> {
  const servable: string[] = [];
  for (const symbol of symbols) {
    const canonical = provider.canonicalSymbol(symbol);
    const query = { ...queryOf(symbol, request), session: 'regular' } as const;
    if (canonical === null || findUnsupportedReason(provider, query) !== null) continue;
    if (deniedLicense(market, provider, symbol) !== null) continue;
    if ((await market.directory?.find(provider.id, canonical)) !== 'absent') servable.push(symbol);
  }
  return servable;
}

async function readFrom(
  market: BarsContext,
  provider: MarketProvider,
  request: DaysRequest,
): Promise<ReadonlyMap<string, BarTable>> {
  const { symbols, start, end, at, signal } = request;
  const store = storeOf(market, provider);
  if (isBulkProvider(provider)) {
    if (store !== null) return readUnlistedDays(store, provider, request, BULK_TOTAL_MS);
    const http = openProviderClient(market, provider, { signal, totalMs: BULK_TOTAL_MS });
    const query = { symbols, adjustment: 'split', start, end } as const;
    return collectDays(provider, query, { http, at, signal });
  }
  const days = new Map<string, BarTable>();
  for (const symbol of symbols) {
    const query = queryOf(symbol, request);
    const { bars } =
      store !== null && provider.canonicalSymbol(symbol) === symbol
        ? await readSeries(store, provider, query, { ...query, at, signal })
        : await collectBars(provider, query, { http: openProviderClient(market, provider, { signal }), at, signal });
    if (bars.timestamps.length > 0) days.set(symbol, bars);
  }
  return days;
}

/** Returns the store of a provider's bars; null if it needs none because it needs no network. */
function storeOf({ database, clock, barStore }: BarsContext, provider: MarketProvider): BarStoreContext | null {
  if (provider.requestsPerMinute === null || database === undefined || barStore === undefined) return null;
  return { ...barStore, database, clock };
}

function queryOf(symbol: string, { start, end }: DaysRequest) {
  return { symbol, frequency: '1D', adjustment: 'split', side: 'trade', start, end, limit: MAX_DAYS } as const;
}

const MAX_CONSECUTIVE_FAILURES = 3;
/**
 * The number of consecutive invalid replies and rejected requests after which a provider counts as failing. A few may be caused by the
 * requested symbols, which accounts choose freely.
 */
const MAX_CONSECUTIVE_INVALID = 20;
/** The largest number of failed queries that are split, whatever symbols are requested. */
const MAX_SPLITS = 100;

/**
 * Stops requests to a provider that keeps failing. Otherwise thousands of symbols would each wait for the same failure.
 */
class CircuitBreaker {
  readonly #failures = new Map<string, { consecutive: number; latest: ProviderError }>();
  #splits = 0;

  /** Returns whether a failed query may be sent again in two parts. */
  takeSplit(): boolean {
    this.#splits += 1;
    return this.#splits <= MAX_SPLITS;
  }

  /** Returns the failure after which no more requests are sent to a provider; null if requests may still be sent. */
  failureOf(provider: string): ProviderError | null {
    const failed = this.#failures.get(provider);
    if (failed === undefined) return null;
    const limit = INVALID_FAULTS.includes(failed.latest.fault) ? MAX_CONSECUTIVE_INVALID : MAX_CONSECUTIVE_FAILURES;
    return failed.consecutive >= limit ? failed.latest : null;
  }

  recordFailure(error: ProviderError): void {
    const consecutive = (this.#failures.get(error.provider)?.consecutive ?? 0) + 1;
    this.#failures.set(error.provider, { consecutive, latest: error });
  }

  recordSuccess(provider: string): void {
    this.#failures.delete(provider);
  }
}
