import type { BarFrequency, SeriesKind } from '../../calendar/index.ts';
import type { Adjustment, SeriesDescription, Session } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import type { BarQuery } from '../bars.ts';
import type { ProviderHttp } from './provider-http.ts';

/** A bar as a provider sent it: unchecked until `checkBars` has accepted it. */
export interface RawBar {
  /** The start of the period in milliseconds since 1970; for a daily bar, the date of the session at 00:00 UTC. */
  readonly timestamp: unknown;
  readonly open: unknown;
  readonly high: unknown;
  readonly low: unknown;
  readonly close: unknown;
  readonly volume: unknown;
}

/** Bars in any order, and the token of the page with older bars. */
export interface BarPage {
  readonly bars: readonly RawBar[];
  /** The token of the page with older bars; null on the last page. */
  readonly olderToken: string | null;
}

/** Selects daily bars of many instruments. */
export interface DaysQuery {
  readonly symbols: readonly string[];
  readonly adjustment: Adjustment;
  readonly session: Session;
  /** Selects bars that begin at or after this instant and before `end`. */
  readonly start: number;
  readonly end: number;
}

/** A part of the requested bars, in any order, and the token of the next part. */
export interface DaysPage {
  /** Bars by symbol, in the spelling of the query. A symbol that is unknown or has no bars may be absent. */
  readonly bars: ReadonlyMap<string, readonly RawBar[]>;
  /** Token of the next page; null on the last page. */
  readonly nextToken: string | null;
}

/** Daily bars of many instruments in few requests. */
export interface BulkDays {
  /** The largest number of symbols in one query. */
  readonly maxSymbols: number;
  /**
   * Returns every symbol that has daily bars, in the spelling of the provider. Throws a `ProviderError` if the provider
   * fails.
   */
  listSymbols(http: ProviderHttp): Promise<readonly string[]>;
  /** Returns one page. Throws a `ProviderError` for an invalid reply. */
  fetchDays(query: DaysQuery, token: string | null, http: ProviderHttp): Promise<DaysPage>;
}

/**
 * A service or bundle that supplies bars. An adapter implements one protocol and nothing else: routing, budgets,
 * deadlines and checks of rows are not its task.
 */
export interface MarketProvider {
  readonly id: string;
  /**
   * The number of requests per minute that all processes together may send; null for a provider that needs no network.
   */
  readonly requestsPerMinute: number | null;
  /**
   * The frequencies that the provider serves. Weekly and monthly bars are aggregated from daily bars and need not be
   * listed.
   */
  readonly frequencies: readonly BarFrequency[];
  /** Bars of a stock exchange follow its sessions; currencies do not. */
  readonly kind: SeriesKind;
  /**
   * Returns the canonical spelling of a symbol. A provider without this function treats every spelling as a different
   * symbol.
   */
  canonicalSymbol?(symbol: string): string;
  /** Returns why the provider cannot serve a query, as a sentence for the caller; null if it can. Sends no request. */
  unsupportedReason(query: BarQuery): string | null;
  /**
   * Returns one page of the bars of a query, starting with the latest page. `http` applies budgets, deadlines and
   * retries, and throws a `ProviderError`. The adapter throws one for an invalid reply (UNKNOWN_SYMBOL, MALFORMED).
   */
  fetchPage(query: BarQuery, token: string | null, http: ProviderHttp): Promise<BarPage>;
  /** Reads many instruments in one request. If it is omitted, each instrument is requested separately. */
  readonly bulk?: BulkDays;
  /** Returns the instruments that a search can find. Most providers cannot list any. */
  list?(): Promise<readonly ListedSeries[]>;
  /** Returns the description of an instrument without reading its bars, or null for an unknown symbol. */
  describe(symbol: string, signal?: AbortSignal): Promise<SeriesDescription | null>;
}

/** A provider that accepts queries of many symbols. */
export type BulkProvider = MarketProvider & { readonly bulk: BulkDays };

export function isBulkProvider(provider: MarketProvider): provider is BulkProvider {
  return provider.bulk !== undefined;
}
