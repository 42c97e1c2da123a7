import type { ListedInstrument } from '../providers/provider.ts';

/** The listing of a provider, as it was last read. */
export interface MarketListingTable {
  provider: string;
  /** Changes with the instruments. 0 until the listing has been read completely; its rows do not count before. */
  version: number;
  entries: number;
  /** The number of entries that are not delisted. */
  active: number;
  /** The time of the last complete reading. */
  refreshed_at: Date | null;
  /** The time of the last attempt, whether it succeeded or not. */
  tried_at: Date | null;
  /** The fault of the last attempt; null if it succeeded. */
  last_error: string | null;
}

/** An instrument in the listing of a provider. */
export interface MarketInstrumentTable {
  symbol: string;
  provider: string;
  name: string;
  aliases: string[];
  exchange: string | null;
  class: ListedInstrument['class'];
  units: string;
  status: ListedInstrument['status'];
}

export interface DirectoryTables {
  market_listing: MarketListingTable;
  market_instrument: MarketInstrumentTable;
}
