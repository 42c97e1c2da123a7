import type { ReportingFrequency } from '../calendar/index.ts';
import type { SeriesDescription } from '../contract/index.ts';
import type { ListedSeries, SeriesTable } from '../snapshots/index.ts';

/** One choice of dimensions of a series: every value field as a column. */
export interface EconomicRows {
  readonly table: SeriesTable;
  readonly frequency: ReportingFrequency | '1D';
}

/** Somebody who publishes series. */
export interface EconomicProvider {
  readonly id: string;
  list(): Promise<readonly ListedSeries[]>;
  /** null: no such series. */
  describe(seriesId: string, signal?: AbortSignal): Promise<SeriesDescription | null>;
  /** The rows of one value for each dimension, checked already. null: no such series. */
  read(
    seriesId: string,
    dimensions: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<EconomicRows | null>;
}
