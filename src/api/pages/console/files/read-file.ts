import { Fault } from '../../../../contract/index.ts';
import { readField } from '../../forms.ts';
import { attempt } from '../refusals.ts';
import type { ConsoleVisit } from '../visit.ts';
import {
  type ChosenFields,
  type CsvFile,
  type CsvSeries,
  nameFile,
  readWorkspace,
  type Workspace,
} from './file-visit.ts';

/** Rows on the page, and rows that are shown around one with a mistake. */
const PAGE_ROWS = 20;
const ROWS_AROUND = 5;
/** Rows of a chart. */
const CHART_ROWS = 2_000;

/** Everything that the page of a file shows. */
export interface FileView {
  readonly workspace: Workspace;
  readonly file: CsvFile;
  readonly cursor: string | undefined;
  /** The chosen columns, or the most likely ones; null if no column has times, or none has numbers. */
  readonly fields: Partial<ChosenFields>;
  readonly series: CsvSeries | null;
  /** Why the columns are not a series. */
  readonly fault: Fault | null;
  /** The rows around the line that the fault, or the note of a column, names. */
  readonly around: CsvFile | null;
  /** The line itself. */
  readonly line: number | null;
}

/** Reads what the page of a file shows. A fault that concerns the chosen columns is a part of the page. */
export async function readFileView(visit: ConsoleVisit): Promise<FileView> {
  const { visitor, query } = visit;
  const workspace = await readWorkspace(visit);
  const params = nameFile(visit);
  const cursor = readField(query, 'cursor') || undefined;
  const page = { limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) };
  const file = await visitor.call('readCsvFile', { params, query: page });
  const fields = chooseFields(file, query);
  const view = { workspace, file, cursor, fields };
  const { time_field: time, value_field: value } = fields;
  if (time === undefined || value === undefined) {
    const line = file.columns.map(({ note }) => findLine(note ?? '')).find((found) => found !== null) ?? null;
    return { ...view, series: null, fault: null, ...(await readAround(visit, line)) };
  }
  const chosen = { time_field: time, value_field: value, limit: CHART_ROWS };
  const series = await attempt(() => visitor.call('readCsvSeries', { params, query: chosen }));
  if (!(series instanceof Fault)) return { ...view, series, fault: null, around: null, line: null };
  if (series.status !== 400 && series.status !== 422) throw series;
  return { ...view, series: null, fault: series, ...(await readAround(visit, findLine(series.message))) };
}

/** Returns the line that a message names; null if it names none. */
function findLine(message: string): number | null {
  return Number(/\bline (\d+): /.exec(message)?.[1] ?? 0) || null;
}

/** Reads the rows around a line; null if there are none. */
async function readAround(visit: ConsoleVisit, line: number | null): Promise<Pick<FileView, 'around' | 'line'>> {
  if (line === null) return { around: null, line };
  const query = { line: Math.max(1, line - Math.floor(ROWS_AROUND / 2)), limit: ROWS_AROUND };
  const page = await attempt(() => visit.visitor.call('readCsvFile', { params: nameFile(visit), query }));
  return { around: page instanceof Fault || page.page.length === 0 ? null : page, line };
}

function chooseFields(file: CsvFile, query: ConsoleVisit['query']): Partial<ChosenFields> {
  const time = readField(query, 'time_field') || file.time_field || undefined;
  const value = readField(query, 'value_field') || file.value_field || undefined;
  return { ...(time !== undefined && { time_field: time }), ...(value !== undefined && { value_field: value }) };
}
