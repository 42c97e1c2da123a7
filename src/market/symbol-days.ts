import type { ProviderError } from '../platform/index.ts';
import type { BarTable } from './bars.ts';
import type { BarsContext, MarketContext } from './context.ts';

/** The dependencies for reading the days of many symbols. */
export type DaysContext = BarsContext & Pick<MarketContext, 'directory'>;

export interface DaysRequest {
  readonly symbols: readonly string[];
  /** Selects sessions from this one on, and before `end`. */
  readonly start: number;
  readonly end: number;
  /** Bars that were complete at this instant. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

/** The daily bars of one symbol, or the reason why there are none. */
export interface SymbolDays {
  readonly symbol: string;
  /** The provider that served the bars, or null. */
  readonly provider: string | null;
  /** At least one bar; null if no provider has any. */
  readonly bars: BarTable | null;
  /** The error of a provider that should have served the symbol, or null. */
  readonly failure: ProviderError | null;
  /** Whether the bars of the symbol are still being read in bulk. */
  readonly isPending: boolean;
}
