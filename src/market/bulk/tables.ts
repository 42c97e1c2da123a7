/** The bulk read of daily bars from one provider. Dates are those of sessions, such as 2024-01-31. */
export interface MarketFillTable {
  provider: string;
  /** The session up to which bars are read. */
  session: string;
  /** What `total` and `done` count. */
  unit: 'symbols' | 'dates';
  total: number;
  done: number;
  started_at: Date;
  updated_at: Date;
  /** Null until the bars of `session` have been read. */
  completed_at: Date | null;
  /** The last session whose bars have been read. */
  completed_session: string | null;
  /** The fault of the provider in the last attempt; null if it had none. */
  last_fault: string | null;
  /** The attempt that is running; null if there is none. It expires unless it is renewed. */
  claim: string | null;
  claimed_until: Date | null;
  /** For a provider of days by date: the dates that were read for all symbols. */
  read_from: string | null;
  read_to: string | null;
  /** Dates up to this one were read when they were settled. */
  settled_to: string | null;
  /** The session for which adjusted prices were last compared. */
  checked_on: string | null;
}

export interface FillTables {
  market_fill: MarketFillTable;
}
