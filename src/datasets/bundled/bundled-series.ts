import type { ReportingFrequency } from '../../calendar/index.ts';
import type { SeriesTable } from '../../snapshots/index.ts';

export interface ValueColumn {
  readonly field: string;
  readonly label: string;
  readonly units: string;
  /**
   * Whether rows of the file may lack this value; a missing value is NaN in the table. In other columns it is an error.
   */
  readonly mayBeMissing?: true;
}

/** Tables by member of the dimension. A series without a dimension has one table, under `NO_DIMENSION`. */
export type TablesByMember = ReadonlyMap<string, SeriesTable>;
export const NO_DIMENSION = '';

/** A series whose history is installed with the service. */
export interface BundledSeries {
  readonly id: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly frequency: ReportingFrequency;
  readonly values: readonly ValueColumn[];
  /** The dimension from which a request must choose a member. The members are read from the file. */
  readonly dimension?: { readonly field: string; readonly label: string };
  readonly publisher: string;
  /** The npm package that contains the file. */
  readonly package: string;
  readonly license: License;
  readonly notes: string | null;
  /** Returns the rows. Parses the file on the first call. */
  load(): Promise<TablesByMember>;
}

interface License {
  readonly name: string;
  readonly url: string | null;
}

export const US_GOVERNMENT_WORK: License = {
  name: 'U.S. Government work',
  url: 'https://www.usa.gov/government-works',
};

export const CC_BY_4: License = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' };

/** The license of data for which vega-datasets states none. */
export const VEGA_UNSTATED_LICENSE: License = {
  name: 'BSD-3-Clause (the package); no licence is stated for the data',
  url: 'https://github.com/vega/vega-datasets',
};
