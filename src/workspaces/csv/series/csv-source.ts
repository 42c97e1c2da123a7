import { type Cadence, countCompleted, daysBefore, type Frequency, isFrequency } from '../../../calendar/index.ts';
import type { SeriesDescription, WorkspaceCsvReference } from '../../../contract/index.ts';
import type { Database } from '../../../platform/index.ts';
import { reportingPeriodOf, type SeriesSource, type SeriesTable, type SourceRows } from '../../../snapshots/index.ts';
import { csvFileNotFound } from '../../faults.ts';
import { findReferencedFile } from '../find-csv-file.ts';
import type { CsvFileRow } from '../tables.ts';
import { assignRowTimestamps, type DatedRows, MAX_ROWS } from './assign-row-timestamps.ts';
import { authorizeFile, authorizeFrozenRows } from './authorize-csv.ts';
import { type ChosenColumns, findNumberColumn, findTimeColumn } from './find-columns.ts';
import { LatestRows } from './latest-rows.ts';
import type { CollectedRows } from './read-cells.ts';
import { readSeries } from './read-series.ts';

const PROVIDER = 'workspace';

interface ReadFile extends Pick<DatedRows, 'rows' | 'datedBy'> {
  readonly file: CsvFileRow;
  readonly cadence: Cadence;
}

/** Creates the source of series from workspace files. Search does not list these series, because they are private. */
export function createCsvSource({ database }: { readonly database: Database }): SeriesSource<WorkspaceCsvReference> {
  async function findFile(reference: WorkspaceCsvReference): Promise<FoundFile> {
    const file = await findReferencedFile(database, reference.workspace_id, reference.csv_id);
    if (file === null) throw csvFileNotFound();
    const time = findTimeColumn(file.columns, reference.time_field);
    return { file, columns: { time, value: findNumberColumn(file.columns, reference.value_field) } };
  }

  async function readFile(reference: WorkspaceCsvReference, signal?: AbortSignal): Promise<ReadFile> {
    signal?.throwIfAborted();
    const { file, columns } = await findFile(reference);
    const series = await readSeries(database, file, columns, signal);
    signal?.throwIfAborted();
    return toReadFile(file, series);
  }

  /**
   * Reads the last `limit` rows before a cutoff. If the times of the file are ordered, it reads no more of the file than
   * the latest rows, from which the frequency is inferred, and those rows.
   */
  async function readWindow(
    reference: WorkspaceCsvReference,
    cutoffAfter: (last: LastRow) => number,
    { limit = MAX_ROWS, signal }: { readonly limit?: number | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<SourceRows & { readonly cutoff: number }> {
    signal?.throwIfAborted();
    const { file, columns } = await findFile(reference);
    const order = file.columns[columns.time.index]?.order;
    using latest = order && new LatestRows(database, file, columns, { order, signal });
    const all = { latest: MAX_ROWS, before: Number.POSITIVE_INFINITY, limit };
    const readAll = async () =>
      latest ? assignRowTimestamps(await latest.read(all)) : readSeries(database, file, columns, signal);
    let read = toReadFile(file, await readAll());
    const last = read.rows.times.at(-1);
    if (last === undefined) throw new Error('Rows without a time have a frequency.');
    const cutoff = cutoffAfter({ cadence: read.cadence, timestamp: last });
    if (latest && cutoff !== Number.POSITIVE_INFINITY) {
      // The period of the cutoff has not ended, and a period can be dated by its end.
      const needed = { latest: MAX_ROWS, before: cutoff, limit: limit + UNFINISHED_ROWS };
      read = toReadFile(file, assignRowTimestamps(await latest.read(needed)));
    }
    signal?.throwIfAborted();
    return { ...toSourceRows(reference, read, cutoff, limit), cutoff };
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
    async read(reference, { cutoff = Number.POSITIVE_INFINITY, ...window }) {
      const { cutoff: _, ...rows } = await readWindow(reference, () => cutoff, window);
      return rows;
    },

    readDaysBefore: (reference, { days, ...window }) =>
      readWindow(reference, ({ cadence, timestamp }) => daysBefore(cadence, timestamp, days), window),

    /** The stored frequency is that of all times, so it is that of the series only if every row has a value. */
    async knownFrequency(reference) {
      const { file, columns } = await findFile(reference);
      const chosen = [columns.time, columns.value].map(({ index }) => file.columns[index]);
      if (file.time_field !== reference.time_field || chosen.some((column) => column?.nulls !== 0)) return null;
      return file.frequency !== null && isFrequency(file.frequency) ? file.frequency : null;
    },
  };
}

interface FoundFile {
  readonly file: CsvFileRow;
  readonly columns: ChosenColumns;
}

interface LastRow {
  readonly cadence: Cadence;
  readonly timestamp: number;
}

/** The number of rows before a cutoff whose periods may not have ended. */
const UNFINISHED_ROWS = 3;

function toReadFile(file: CsvFileRow, { rows, datedBy, frequency }: DatedRows): ReadFile {
  return { file, rows, datedBy, cadence: { frequency, kind: 'plain' } };
}

function toSourceRows(
  { time_field, value_field }: WorkspaceCsvReference,
  { file, rows, datedBy, cadence }: ReadFile,
  cutoff: number,
  limit: number,
): SourceRows {
  return {
    table: completedRows(rows, value_field, cadence, cutoff, limit),
    cadence,
    valueField: value_field,
    provider: PROVIDER,
    about: {
      source: { type: 'workspace_csv', workspace_id: file.workspace_id, csv_id: file.id, time_field, value_field },
      // The name of the file is left out, because not every reader of the forecast may see it.
      units: '',
      frequency: cadence.frequency,
      ...(datedBy !== null && { dated_by: datedBy }),
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
  const end = countCompleted(cadence, times, cutoff);
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
    reporting_period: reportingPeriodOf(frequency),
    vintage: 'revised',
    publisher: PROVIDER,
    license: { name: 'of the workspace', url: null },
    notes: null,
  };
}
