import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { formatSize } from '../../format.ts';
import type { FileSource } from '../source-address.ts';
import type { Visitor } from '../visitor.ts';

type Description = Output<Operations['describeSeries']>;

/** Number of values of a small picture. */
const PREVIEW_ROWS = 250;

/** The description of a series of a file, in the form of those that the search finds, and its last values. */
export interface DescribedFile {
  readonly described: Description;
  readonly preview: readonly number[];
}

/** Describes the series of two columns of a file, for the form of a forecast. */
export async function describeFile(
  visitor: Visitor,
  { workspace_id, csv_id, time_field, value_field }: FileSource,
): Promise<DescribedFile> {
  const params = { workspace_id, csv_id };
  const file = await visitor.call('readCsvFile', { params, query: { limit: 1 } });
  const query = { time_field, value_field, limit: PREVIEW_ROWS };
  const series = await visitor.call('readCsvSeries', { params, query });
  const fields = file.columns.filter(({ type, name }) => type === 'number' || name === series.value_field);
  const { value_field: chosen } = series;
  return {
    preview: series.rows.map(({ value }) => value),
    described: {
      provider: 'workspace',
      title: nameSeries(file.name, chosen),
      frequency: series.frequency,
      time_field: 'timestamp',
      values: fields.map(({ name }) => ({ field: name, label: name, units: '' })),
      dimensions: [],
      units: '',
      span: series.span,
      rows: series.count,
      reporting_period: 'other',
      vintage: 'revised',
      publisher: `The file ${file.name} (${formatSize(file.size_bytes)})`,
      license: { name: 'Private to its workspace', url: null, allowed: true },
      notes: null,
    },
  };
}

/** @example nameSeries('sales.csv', 'Umsatz') // sales: Umsatz */
function nameSeries(fileName: string, column: string): string {
  return `${fileName.replace(/\.(?:csv|tsv|txt)$/i, '').trim() || 'File'}: ${column}`;
}

/** Returns whether a fault is about the columns of a file, which the page of the file explains with the line. */
export function isAboutColumns(error: unknown): boolean {
  return error instanceof Fault && (error.status === 400 || error.status === 422);
}
