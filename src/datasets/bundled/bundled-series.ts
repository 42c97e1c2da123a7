import type { ReportingFrequency } from '../../calendar/index.ts';
import type { SeriesTable } from '../../snapshots/index.ts';
import type { License } from './licenses.ts';

export interface ValueColumn {
  readonly field: string;
  readonly label: string;
  readonly units: string;
  /** The file has rows without this value; they are NaN in the table. In any other column that is an error. */
  readonly mayBeMissing?: true;
}

/** Tables by member of the dimension; a series without dimensions has one, under `UNDIVIDED`. */
export type TablesByMember = ReadonlyMap<string, SeriesTable>;
export const UNDIVIDED = '';

/** A series whose history is installed with the service. */
export interface BundledSeries {
  readonly id: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly frequency: ReportingFrequency;
  readonly values: readonly ValueColumn[];
  /** What must be chosen before rows are read; its members are the file's. */
  readonly dimension?: { readonly field: string; readonly label: string };
  readonly publisher: string;
  /** The package that brings the file. */
  readonly package: string;
  readonly license: License;
  readonly notes: string | null;
  /** Parses the file at the first call. */
  load(): Promise<TablesByMember>;
}
