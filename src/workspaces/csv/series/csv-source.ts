import { type Cadence, type Frequency, isCompleted } from '../../../calendar/index.ts';
import type { SeriesDescription, WorkspaceCsvReference } from '../../../contract/index.ts';
import type { Database } from '../../../platform/index.ts';
import type { SeriesSource, SeriesTable } from '../../../snapshots/index.ts';
import { csvFileNotFound } from '../../faults.ts';
import { findReferencedFile } from '../find-csv-file.ts';
import type { CsvFileRow } from '../tables.ts';
import { assignRowTimestamps, type DatedRows, MAX_ROWS } from './assign-row-timestamps.ts';
import { authorizeFile, authorizeFrozenRows } from './authorize-csv.ts';
import { type CollectedRows, collectRows } from './collect-rows.ts';
import { findNumberColumn, findTimeColumn } from './find-columns.ts';

const PROVIDER = 'workspace';

const REPORTING_PERIODS: Partial<Record<Frequency, SeriesDescription['reporting_period']>> = {
  '1W-MON': 'week',
  '1MS': 'month',
  '1ME': 'month_end',
  '1QE': 'quarter_end',
  '1YE': 'year_end',
};

interface ReadFile extends Pick<DatedRows, 'rows' | 'datedBy'> {
  readonly file: CsvFileRow;
  readonly cadence: Cadence;
}

/** Creates the source of series from workspace files. Search does not list these series, because they are private. */
export function createCsvSource({ database }: { readonly database: Database }): SeriesSource<WorkspaceCsvReference> {
  async function readFile(reference: WorkspaceCsvReference, signal?: AbortSignal): Promise<ReadFile> {
    signal?.throwIfAborted();
    const file = await findReferencedFile(database, reference.workspace_id, reference.csv_id);
    if (file === null) throw csvFileNotFound();
    const time = findTimeColumn(file.columns, reference.time_field);
    const value = findNumberColumn(file.columns, reference.value_field);
    const collected = await collectRows(database, file, { time, value }, signal);
    signal?.throwIfAborted();
    const { rows, datedBy, frequency } = assignRowTimestamps(collected);
    return { file, rows, datedBy, cadence: { frequency, kind: 'plain' } };
  }

  return {
    type: 'workspace_csv',
    list: async () => [],
    canonical: (reference) => reference,

    async describe(reference, signal) {
      const { file, rows, cadence } = await readFile(reference, signal);
      return describeCsvSeries(reference, file, rows, cadence.frequency);
    },

    authorize: (principal, reference) => authorizeFile(database, principal, reference),

    authorizeFrozen: (principal, reference, use) => authorizeFrozenRows(database, principal, reference, use),

    /** Without a cutoff, returns all rows, including those of today and of the future. */
    async read(reference, { cutoff = Number.POSITIVE_INFINITY, limit = MAX_ROWS, signal }) {
      const { file, rows, datedBy, cadence } = await readFile(reference, signal);
      const { time_field, value_field } = reference;
      return {
        table: completedRows(rows, value_field, cadence, cutoff, limit),
        cadence,
        valueField: value_field,
        provider: PROVIDER,
        about: {
          source: {
            type: 'workspace_csv',
            workspace_id: file.workspace_id,
            csv_id: file.id,
            time_field,
            value_field,
          },
          // The name of the file is left out, because not every reader of the forecast may see it.
          units: '',
          frequency: cadence.frequency,
          ...(datedBy !== null && { dated_by: datedBy }),
        },
      };
    },
  };
}

/** Returns the last rows, at most `limit`, whose period had ended at the cutoff. */
function completedRows(
  { times, values }: CollectedRows,
  field: string,
  cadence: Cadence,
  cutoff: number,
  limit: number,
): SeriesTable {
  // The rows are ordered by time, so the completed ones come first.
  let end = times.length;
  while (end > 0 && !isCompleted(cadence, times[end - 1] as number, cutoff)) end--;
  const start = Math.max(0, end - limit);
  return { timestamps: times.slice(start, end), columns: { [field]: values.slice(start, end) } };
}

/** Returns the description of a series of a file, in the same format as for the series that search finds. */
function describeCsvSeries(
  { value_field }: WorkspaceCsvReference,
  file: CsvFileRow,
  { times }: CollectedRows,
  frequency: Frequency,
): SeriesDescription {
  const formatInstant = (time: number | undefined) => new Date(time ?? Number.NaN).toISOString();
  return {
    provider: PROVIDER,
    title: file.name,
    frequency,
    time_field: 'timestamp',
    values: [{ field: value_field, label: value_field, units: '' }],
    dimensions: [],
    units: '',
    span: { start: formatInstant(times[0]), end: formatInstant(times.at(-1)) },
    rows: times.length,
    reporting_period: REPORTING_PERIODS[frequency] ?? 'daily',
    vintage: 'revised',
    publisher: PROVIDER,
    license: { name: 'of the workspace', url: null },
    notes: null,
  };
}
