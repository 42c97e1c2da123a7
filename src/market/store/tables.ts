import type { Coverage } from './coverage.ts';

/** A series in the bar store. */
export interface BarSeriesTable {
  id: number;
  provider: string;
  symbol: string;
  frequency: string;
  adjustment: string;
  side: string;
  /** Increases with every write. */
  version: number;
  /** What is stored of the series. Instants are milliseconds since 1970. */
  coverage: Coverage;
  used_at: Date;
  /** The size of its chunks. */
  bytes: number;
}

/** The bars of one calendar period of a series. */
export interface BarChunkTable {
  series_id: number;
  starts_at: Date;
  rows: number;
  data: Uint8Array;
  /** Rows of the provider that were dropped: timestamp, reason, number and when they were read; null if there are none. */
  dropped: readonly (readonly [number, string, number, number | null])[] | null;
}

export interface StoreTables {
  bar_series: BarSeriesTable;
  bar_chunk: BarChunkTable;
}
