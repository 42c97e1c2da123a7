import type { BarFrequency, SeriesKind } from '../../calendar/index.ts';
import type { Adjustment, SeriesDescription, Session } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import type { BarQuery } from '../bars.ts';
import type { ProviderHttp } from './http.ts';

/** A bar as a provider sent it: nothing about it is believed before `checkBars` has looked at it. */
export interface RawBar {
  /** Milliseconds since 1970 of the period's start, or of the session's date at 00:00 UTC for daily bars. */
  readonly timestamp: unknown;
  readonly open: unknown;
  readonly high: unknown;
  readonly low: unknown;
  readonly close: unknown;
  readonly volume: unknown;
}

/** Some bars, in any order, and how to ask for those before them. */
export interface BarPage {
  readonly bars: readonly RawBar[];
  /** Token of the page of older bars; null: there are none. */
  readonly older: string | null;
}

/** Which daily bars of which instruments. */
export interface DaysQuery {
  readonly symbols: readonly string[];
  readonly adjustment: Adjustment;
  readonly session: Session;
  /** Bars that begin at or after this instant, and before `end`. */
  readonly start: number;
  readonly end: number;
}

/** Some of the bars that were asked for, in any order, and how to ask for more of them. */
export interface DaysPage {
  /** By symbol, spelt as it was asked for. One that has no bars, or is not known, may be left out. */
  readonly bars: ReadonlyMap<string, readonly RawBar[]>;
  /** Token of the next page; null: these were the last. */
  readonly next: string | null;
}

/** Daily bars of many instruments with few requests. */
export interface BulkDays {
  /** So many symbols can be asked for together. */
  readonly mostSymbols: number;
  /** Every symbol that it has daily bars of, in its own spelling. Throws `ProviderError`. */
  symbols(http: ProviderHttp): Promise<readonly string[]>;
  /** One page; what is wrong in a reply is thrown as a `ProviderError`. */
  fetchDays(query: DaysQuery, token: string | null, http: ProviderHttp): Promise<DaysPage>;
}

/**
 * Somebody who has bars. An adapter knows one protocol and nothing else: whom to ask, how often, how long to wait and
 * what to believe is decided around it.
 */
export interface MarketProvider {
  readonly id: string;
  /** Requests a minute that all processes together may make; null: as many as they like (nothing leaves this machine). */
  readonly requestsPerMinute: number | null;
  /** The frequencies it serves; weeks and months are built from days here. */
  readonly frequencies: readonly BarFrequency[];
  /** Bars of a stock exchange follow its sessions; currencies do not. */
  readonly kind: SeriesKind;
  /** The one spelling of a symbol that it knows under several; left out: every spelling is a symbol of its own. */
  canonicalSymbol?(symbol: string): string;
  /** Why it cannot serve a query, in words for the caller; null: it can. Asks nobody. */
  refuses(query: BarQuery): string | null;
  /**
   * One page of the bars of a query, the latest first page by page. `http` asks with limits, patience and retries, and
   * throws `ProviderError`; what is wrong in a reply is thrown as one, too (UNKNOWN_SYMBOL, MALFORMED).
   */
  fetchPage(query: BarQuery, token: string | null, http: ProviderHttp): Promise<BarPage>;
  /** How to look at many instruments at once; left out: they are asked for one by one. */
  readonly bulk?: BulkDays;
  /** What it wants to be found by; most providers list nothing. */
  list?(): Promise<readonly ListedSeries[]>;
  /** What it knows of an instrument before any bar is read. null: it does not know the symbol. */
  describe(symbol: string, signal?: AbortSignal): Promise<SeriesDescription | null>;
}
