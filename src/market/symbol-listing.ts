import { HOUR_MS, MINUTE_MS } from '../calendar/index.ts';
import type { Clock, Log } from '../platform/index.ts';
import type { MarketContext } from './context.ts';
import { listAllSymbols, type SymbolList } from './list-symbols.ts';

/** How long a complete list is used before it is read again. */
const LIST_LIFETIME_MS = HOUR_MS;
/** How long an incomplete list is used. A provider may fail only for a moment. */
const RETRY_AFTER_MS = MINUTE_MS;
/** How long reading the lists may take. */
const READ_LIMIT_MS = 2 * MINUTE_MS;
/** How long a caller waits for the first list. The lists of some providers take minutes. */
const CALLER_WAIT_MS = 1_000;

export interface SymbolListing {
  /** Returns the symbols that no provider lists, or null while the list of a provider is missing. */
  findUnknown(symbols: readonly string[]): Promise<readonly string[] | null>;
}

interface ListingOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly callerWaitMs?: number;
}

/** Creates a listing that reads the symbols of all providers when they are first needed, and keeps them for an hour. */
export function createSymbolListing(
  market: Pick<MarketContext, 'database' | 'providers' | 'directory'>,
  { clock, log, callerWaitMs = CALLER_WAIT_MS }: ListingOptions,
): SymbolListing {
  let list: (Pick<SymbolList, 'isComplete'> & { readonly symbols: ReadonlySet<string> }) | null = null;
  let readAgainAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      const { symbols, isComplete, failures } = await listAllSymbols(market, AbortSignal.timeout(READ_LIMIT_MS));
      for (const error of failures) log.warn({ err: error }, 'listing the symbols of a provider failed');
      // An empty list does not prove that a symbol is unknown.
      list = { symbols: new Set(symbols), isComplete: isComplete && symbols.length > 0 };
    } catch (error) {
      log.warn({ err: error }, 'listing the symbols of the providers failed');
      list = null;
    }
    readAgainAt = clock.now().getTime() + (list?.isComplete ? LIST_LIFETIME_MS : RETRY_AFTER_MS);
    reading = null;
  }

  return {
    async findUnknown(symbols) {
      if (reading === null && clock.now().getTime() >= readAgainAt) reading = read();
      // The earlier list is used until the next one has been read.
      if (reading !== null && list === null) await withinMs(reading, callerWaitMs);
      const known = list?.isComplete ? list.symbols : null;
      if (known === null) return null;
      return symbols.filter((symbol) => !known.has(symbol) && !isOtherSpelling(market, known, symbol));
    },
  };
}

/** Returns whether a symbol is another spelling of a listed one. */
function isOtherSpelling(
  { providers }: Pick<MarketContext, 'providers'>,
  known: ReadonlySet<string>,
  symbol: string,
): boolean {
  return providers.some((provider) => {
    const canonical = provider.canonicalSymbol(symbol);
    return provider.serves === 'stocks' && canonical !== null && known.has(canonical);
  });
}

/** Waits until a promise has settled, but no longer than a number of milliseconds. */
async function withinMs(promise: Promise<void>, milliseconds: number): Promise<void> {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([promise, elapsed]).finally(() => clearTimeout(timer));
}
