import type { BarFrequency, SeriesKind } from '../../calendar/index.ts';
import type { Adjustment, SeriesDescription, Session } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import type { BarQuery } from '../bars.ts';
import type { ProviderHttp } from './provider-http.ts';

/** A bar as a provider sent it: unchecked until `checkBars` has accepted it. */
export interface RawBar {
  /** Milliseconds since 1970 of the period's start, or of the session's date at 00:00 UTC for daily bars. */
  readonly timestamp: unknown;
  readonly open: unknown;
  readonly high: unknown;
  readonly low: unknown;
  readonly close: unknown;
  readonly volume: unknown;
}

/** Bars in any order, and the token of the page before them. */
export interface BarPage {
  readonly bars: readonly RawBar[];
  /** Token of the page of older bars; null on the last page. */
  readonly olderToken: string | null;
}

/** Selects daily bars of many instruments. */
export interface DaysQuery {
  readonly symbols: readonly string[];
  readonly adjustment: Adjustment;
  readonly session: Session;
  /** Bars that begin at or after this instant, and before `end`. */
  readonly start: number;
  readonly end: number;
}

/** A part of the requested bars, in any order, and the token of the next part. */
export interface DaysPage {
  /** By symbol, in the spelling of the query. A symbol that is unknown or has no bars may be missing. */
  readonly bars: ReadonlyMap<string, readonly RawBar[]>;
  /** Token of the next page; null on the last page. */
  readonly nextToken: string | null;
}

/** Daily bars of many instruments in few requests. */
export interface BulkDays {
  /** The number of symbols that one query may have. */
  readonly maxSymbols: number;
  /** Returns every symbol with daily bars, in the provider's spelling. Throws `ProviderError`. */
  listSymbols(http: ProviderHttp): Promise<readonly string[]>;
  /** Returns one page. Throws a `ProviderError` for an invalid reply. */
  fetchDays(query: DaysQuery, token: string | null, http: ProviderHttp): Promise<DaysPage>;
}

/**
 * A service or bundle that supplies bars. An adapter implements one protocol and nothing else: routing, budgets, deadlines
 * and the checks of rows are outside it.
 */
export interface MarketProvider {
  readonly id: string;
  /** Requests a minute that all processes together may send; null for a provider that needs no network. */
  readonly requestsPerMinute: number | null;
  /** The frequencies that it serves. Weeks and months are aggregated from days outside it. */
  readonly frequencies: readonly BarFrequency[];
  /** Bars of a stock exchange follow its sessions; currencies do not. */
  readonly kind: SeriesKind;
  /** Returns the canonical spelling of a symbol with several spellings; without it every spelling is its own symbol. */
  canonicalSymbol?(symbol: string): string;
  /** Returns why it cannot serve a query, as a sentence for the caller, or null if it can. Sends no request. */
  unsupportedReason(query: BarQuery): string | null;
  /**
   * Returns one page of the bars of a query, starting with the latest page. `http` applies budgets, deadlines and retries
   * and throws `ProviderError`; the adapter throws one for an invalid reply (UNKNOWN_SYMBOL, MALFORMED).
   */
  fetchPage(query: BarQuery, token: string | null, http: ProviderHttp): Promise<BarPage>;
  /** Requests of many instruments; without it each instrument is requested separately. */
  readonly bulk?: BulkDays;
  /** Returns the instruments that search can find; most providers list none. */
  list?(): Promise<readonly ListedSeries[]>;
  /** Returns the description of an instrument without reading its bars, or null for an unknown symbol. */
  describe(symbol: string, signal?: AbortSignal): Promise<SeriesDescription | null>;
}

/** A provider that accepts queries of many symbols. */
export type BulkProvider = MarketProvider & { readonly bulk: BulkDays };

export function isBulkProvider(provider: MarketProvider): provider is BulkProvider {
  return provider.bulk !== undefined;
}
