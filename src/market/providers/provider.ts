import type { BarFrequency, SeriesKind } from '../../calendar/index.ts';
import type { Adjustment, QuoteSide, SeriesDescription, Session } from '../../contract/index.ts';
import type { ProviderClient } from '../../platform/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import type { BarQuery } from '../bars.ts';

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

/**
 * A series as a provider sends it and as the bar store keeps it. It has no session: providers of stocks send the bars
 * of all hours, and bars outside the requested hours are left out when they are read.
 */
export interface SeriesKey {
  /** In the spelling of the provider. */
  readonly symbol: string;
  /** One of the provider's own frequencies. */
  readonly frequency: BarFrequency;
  readonly adjustment: Adjustment;
  readonly side: QuoteSide;
}

/** Selects the latest `limit` bars of a series that begin at or after `start` and before `end`. */
export interface PageQuery extends SeriesKey {
  /** Undefined for the whole history. */
  readonly start?: number | undefined;
  readonly end: number;
  readonly limit: number;
}

/** Bars in any order, and the token of the page with older bars. */
export interface BarPage {
  readonly bars: readonly RawBar[];
  /** The token of the page with older bars; null on the last page. */
  readonly olderToken: string | null;
  /** The instant from which the page is complete, if the protocol states it, as a file of one day does. */
  readonly from?: number;
}

/** Selects daily bars of many instruments. */
export interface DaysQuery {
  readonly symbols: readonly string[];
  readonly adjustment: Adjustment;
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

/** Daily bars of many symbols in one query. */
export interface DaysBySymbols {
  readonly by: 'symbols';
  /** The largest number of symbols in one query. */
  readonly maxSymbols: number;
  /** Returns one page. Throws a `ProviderError` for an invalid reply. */
  fetchDays(query: DaysQuery, token: string | null, http: ProviderClient): Promise<DaysPage>;
}

/** Daily bars of all symbols of one date. */
export interface DaysByDate {
  readonly by: 'date';
  /** Returns the bar of each symbol. Throws a `ProviderError` for an invalid reply. */
  fetchDate(date: number, adjustment: Adjustment, http: ProviderClient): Promise<ReadonlyMap<string, RawBar>>;
}

/** Daily bars of many instruments in few requests. */
export type BulkDays = DaysBySymbols | DaysByDate;

/** An instrument in the listing of a provider. */
export interface ListedInstrument {
  /** In the canonical spelling of the provider. */
  readonly symbol: string;
  readonly name: string;
  /** Other spellings and names by which a search finds it. */
  readonly aliases: readonly string[];
  readonly exchange: string | null;
  readonly class: 'stock' | 'pair' | 'metal' | 'coin';
  /** The currency of its prices. */
  readonly units: string;
  readonly status: 'active' | 'delisted';
}

export interface License {
  readonly name: string;
  readonly url: string;
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
  readonly serves: 'stocks' | 'currencies';
  /** The frequencies that the provider sends. Other frequencies are built from them. */
  readonly frequencies: readonly BarFrequency[];
  readonly adjustments: readonly Adjustment[];
  /** The prices that the provider sends. The first is the default. */
  readonly sides: readonly [QuoteSide, ...QuoteSide[]];
  readonly sessions: readonly Session[];
  readonly license: License;
  /** Returns the license of an instrument. Omitted if all instruments have the license of the provider. */
  licenseOf?(symbol: string): License;
  /** The instant of the oldest bar that the protocol serves; null if it is unknown. */
  readonly earliest: number | null;
  /** The number of minutes after its end until a bar can be read. */
  readonly delayMinutes: number;
  /** Reads what the other functions need to know about symbols. Awaited before a request is routed. */
  prepare?(): Promise<void>;
  /** Returns the canonical spelling of a symbol; null for a text that cannot be a symbol of this provider. */
  canonicalSymbol(symbol: string): string | null;
  /** Returns the kind of an instrument's series. Bars of a stock exchange follow its sessions; others do not. */
  kindOf(symbol: string): SeriesKind;
  /**
   * Returns why the provider cannot serve a query, as a sentence for the caller; null if it can. The frequency, the
   * adjustment, the price side and the session have been checked. Sends no request.
   */
  unsupportedReason?(query: BarQuery): string | null;
  /**
   * Returns one page of the bars of a query, starting with the latest page. `http` applies budgets, deadlines and
   * retries, and throws a `ProviderError`. The adapter throws one for an invalid reply (NOT_FOUND, MALFORMED).
   */
  fetchPage(query: PageQuery, token: string | null, http: ProviderClient): Promise<BarPage>;
  /**
   * The largest number of pages that one read requests. A read that reaches it returns the bars that it has, and the
   * caller continues with a cursor. Omitted if there is no such limit.
   */
  readonly maxPagesPerRead?: number;
  /** Reads many instruments in one request. If it is omitted, each instrument is requested separately. */
  readonly bulk?: BulkDays;
  /**
   * Yields the instruments of the provider in batches of at most 2,000. The listing is complete only if the generator
   * ends without an error.
   */
  readListing?(http: ProviderClient): AsyncGenerator<readonly ListedInstrument[]>;
  /** Returns the instruments of a provider without a network that a search can find. */
  list?(): Promise<readonly ListedSeries[]>;
  /** Returns the description of an instrument of a provider without a network, or null for an unknown symbol. */
  describe?(symbol: string): Promise<SeriesDescription | null>;
}

/** A provider that accepts queries of many symbols. */
export type BulkProvider = MarketProvider & { readonly bulk: DaysBySymbols };

export function isBulkProvider(provider: MarketProvider): provider is BulkProvider {
  return provider.bulk?.by === 'symbols';
}
