/** What a provider of economic series replied to one request, as it was last read. */
export interface EconomicStoreTable {
  provider: string;
  /** The hash of what was requested. */
  key: string;
  read_at: Date;
  /** The last update of the series that the listing stated when it was read; null if it stated none. */
  listed_update: Date | null;
  /** Compressed JSON. */
  body: Buffer;
}

export interface StoreTables {
  economic_store: EconomicStoreTable;
}
