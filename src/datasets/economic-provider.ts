import type { SeriesDescription } from '../contract/index.ts';
import type { ListedSeries, SeriesTable } from '../snapshots/index.ts';
import type { EconomicFrequency, Selection } from './providers/provider.ts';

/** The rows of a series for one value of each dimension. Every value field is a column. */
export interface EconomicRows {
  readonly table: SeriesTable;
  readonly frequency: EconomicFrequency;
  /** What the provider states about these rows. Omitted by the bundled provider. */
  readonly statement?: RowStatement;
}

/** What a provider states about rows that it published. */
export interface RowStatement {
  /** Fields of the description that hold for these rows and replace those of the whole series. */
  readonly description: Partial<SeriesDescription>;
  /** The flag of each row, in the order of the rows; undefined for rows without one. */
  readonly flags: readonly (string | undefined)[];
  readonly flagLabels: Readonly<Record<string, string>>;
  readonly footnotes: readonly string[];
}

/** A provider of economic series. */
export interface EconomicProvider {
  readonly id: string;
  /** The time zone of the dates of vintages. Omitted by providers without vintages. */
  readonly vintageTimeZone?: string | undefined;
  /** Returns the series that search finds. Omitted by providers whose listing is in the database. */
  list?(): Promise<readonly ListedSeries[]>;
  /**
   * Returns the description of a series, with every value of its dimensions; null if there is no such series. Chosen
   * values make it more exact; they must be values of the dimensions.
   */
  describe(
    seriesId: string,
    chosen: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<SeriesDescription | null>;
  /**
   * Returns checked rows; null if there is no such series. The selection has valid values of all dimensions.
   *
   * @param maxAgeMs how long ago the rows may have been requested. Default: as long as replies are stored.
   */
  read(selection: Selection, signal?: AbortSignal, maxAgeMs?: number): Promise<EconomicRows | null>;
}

/** The reporting period of each frequency. */
export const REPORTING_PERIODS: Record<EconomicFrequency, SeriesDescription['reporting_period']> = {
  '1D': 'daily',
  '1W-MON': 'week',
  '1ME': 'month_end',
  '1QE': 'quarter_end',
  '1YE': 'year_end',
};
