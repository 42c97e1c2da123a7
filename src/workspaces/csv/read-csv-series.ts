import type { Account } from '../../access/index.ts';
import { requireMembership } from '../memberships.ts';
import { type CsvContext, findCsvFile } from './find-csv-file.ts';
import type { DatedRows } from './series/assign-row-timestamps.ts';
import { findNumberColumn, findTimeColumn } from './series/find-columns.ts';
import { readSeries } from './series/read-series.ts';
import type { CsvFileRow } from './tables.ts';

export interface CsvSeriesRequest {
  readonly workspace: string;
  readonly id: string;
  readonly timeField: string;
  readonly valueField: string;
}

/** Returns the series of two columns of a file, as a forecast would read it. */
export async function readCsvSeries(
  { database }: CsvContext,
  principal: Account,
  { workspace, id, timeField, valueField }: CsvSeriesRequest,
  signal?: AbortSignal,
): Promise<DatedRows & { readonly file: CsvFileRow }> {
  const membership = await requireMembership(database, principal, workspace, 'csv.read');
  const file = await findCsvFile(database, membership, id);
  const time = findTimeColumn(file.columns, timeField);
  const value = findNumberColumn(file.columns, valueField);
  return { file, ...(await readSeries(database, file, { time, value }, signal)) };
}
