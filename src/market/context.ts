import { ALL_LICENSES, type Licenses } from '../access/index.ts';
import type { SigningKeys } from '../platform/index.ts';
import type { ListedSeries, SnapshotContext, SnapshotExports } from '../snapshots/index.ts';
import type { ListedInstrument, MarketProvider } from './providers/provider.ts';
import type { BarStoreContext } from './store/read-series.ts';

/** Tells which instruments the providers list. */
export interface InstrumentFinder {
  /**
   * Returns an instrument in the listing of a provider; `absent` if the listing does not have it, and `unread` if the
   * listing was never read.
   */
  find(provider: string, symbol: string): Promise<ListedInstrument | 'absent' | 'unread'>;
}

/** The instruments that the providers list. */
export interface InstrumentDirectory extends InstrumentFinder {
  /** Returns the active symbols of a provider, sorted; null if its listing was never read. */
  listSymbols(provider: string): Promise<readonly string[] | null>;
  /** Returns all instruments for the search, one entry per symbol. */
  list(): Promise<readonly ListedSeries[]>;
  /** Returns a text that changes when `list` returns other instruments. */
  version(): Promise<string>;
}

/** The dependencies of this room's operations. */
export interface MarketContext extends SnapshotContext {
  /** Decides under which licenses bars may be read. */
  readonly licenses: Licenses;
  /** The configured providers, the preferred one first. */
  readonly providers: readonly MarketProvider[];
  /** Omitted if no listing is read. Every provider then counts as listing every symbol. */
  readonly directory?: InstrumentDirectory;
  /** The settings of the bar store. Omitted if bars are not stored. */
  readonly barStore?: Pick<BarStoreContext, 'storeBytes' | 'log'>;
  readonly exports: SnapshotExports;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<SigningKeys>;
}

/** The dependencies for reading bars. The other operations build on them. */
export interface BarsContext extends Pick<MarketContext, 'clock' | 'licenses' | 'providers' | 'barStore'> {
  /** Omitted if no listing is read. */
  readonly directory?: InstrumentFinder;
  /** Whether only bundled and stored bars are read, so that no provider gets a request. */
  readonly isStoredOnly?: boolean;
  /** Holds the request budgets of providers. Needed only if a provider has a budget; the bundled provider has none. */
  readonly database?: MarketContext['database'];
}

/** Builds the context. If `licenses` is omitted, every license is allowed. */
export function createMarket(
  parts: Omit<MarketContext, 'licenses'> & Partial<Pick<MarketContext, 'licenses'>>,
): MarketContext {
  return { licenses: ALL_LICENSES, ...parts };
}
