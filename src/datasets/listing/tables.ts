import type { Dimension, EconomicFrequency } from '../providers/provider.ts';

/** The listing of a provider, as it was last read. */
export interface EconomicListingTable {
  provider: string;
  /** Changes with the series in the listing. 0 until it has been read completely; its rows do not count before. */
  version: number;
  /** Changes with the series that the provider's own search found and that are not in the listing. */
  found_version: number;
  /** The number of series in the listing. */
  entries: number;
  /** The time of the last complete reading. */
  refreshed_at: Date | null;
  /** The time of the last attempt, whether it succeeded or not. */
  tried_at: Date | null;
  /** The fault of the last attempt; null if it succeeded. */
  last_error: string | null;
  /** The dimension of the series with `has_members`. */
  members: Dimension | null;
}

/** A series in the listing of a provider, or one that its own search found. */
export interface EconomicSeriesTable {
  provider: string;
  series_id: string;
  title: string;
  keywords: string[];
  frequency: EconomicFrequency | null;
  units: string;
  /** Instants within the first and the last period, in milliseconds since 1970. */
  first_at: number | null;
  last_at: number | null;
  last_update: Date | null;
  has_members: boolean;
  /** Whether the series is not in the listing. */
  is_found: boolean;
  /** The time at which the search last found it; null for a series in the listing. */
  found_at: Date | null;
}

export interface EconomicListingTables {
  economic_listing: EconomicListingTable;
  economic_series: EconomicSeriesTable;
}
