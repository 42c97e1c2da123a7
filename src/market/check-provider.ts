import { DAY_MS, isCompleted, MINUTE_MS, periodStart } from '../calendar/index.ts';
import { type Clock, type Database, type ProviderClient, type ProviderError, tryProvider } from '../platform/index.ts';
import { collectBars } from './providers/collect-bars.ts';
import type { MarketProvider } from './providers/provider.ts';

/** A symbol that every provider of its kind has. */
const SYMBOLS = { stocks: 'AAPL', currencies: 'EURUSD' } as const;
/** Longer than any closure of an exchange so far. */
const CHECKED_DAYS = 14;

/** The outcome of one real request. */
export interface ProviderCheck {
  readonly provider: string;
  readonly symbol: string;
  /** The newest daily bar; null if the request failed or the provider returned no bar. */
  readonly newest: { readonly timestamp: number; readonly close: number } | null;
  readonly error: ProviderError | null;
  /** Whether the breaker of the provider is open, so that other requests are not sent. */
  readonly isOpen: boolean;
}

/**
 * Reads the daily bars of the last two weeks of a well-known symbol from a provider, past the bar store and even if the
 * breaker is open.
 */
export async function checkProvider(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  provider: MarketProvider,
  signal?: AbortSignal,
): Promise<ProviderCheck> {
  const symbol = SYMBOLS[provider.serves];
  const { result, error, isOpen } = await tryProvider(
    { database, clock },
    provider,
    (http) => readNewestDay(provider, symbol, { http, at: clock.now().getTime(), signal }),
    signal,
  );
  return { provider: provider.id, symbol, newest: result, error, isOpen };
}

async function readNewestDay(
  provider: MarketProvider,
  symbol: string,
  options: { readonly http: ProviderClient; readonly at: number; readonly signal: AbortSignal | undefined },
): Promise<ProviderCheck['newest']> {
  const cadence = { frequency: '1D', kind: provider.kindOf(symbol) } as const;
  const readable = options.at - provider.delayMinutes * MINUTE_MS;
  let day = periodStart('1D', options.at);
  while (!isCompleted(cadence, day, readable)) day -= DAY_MS;
  const { bars } = await collectBars(
    provider,
    {
      symbol,
      frequency: '1D',
      adjustment: 'raw',
      side: provider.sides[0],
      start: day - CHECKED_DAYS * DAY_MS,
      end: day + 1,
      limit: CHECKED_DAYS,
    },
    options,
  );
  const last = bars.timestamps.length - 1;
  if (last < 0) return null;
  return { timestamp: bars.timestamps[last] as number, close: bars.columns.close[last] as number };
}
