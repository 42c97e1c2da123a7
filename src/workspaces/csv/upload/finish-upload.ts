import type { Account } from '../../../access/index.ts';
import { Fault } from '../../../contract/index.ts';
import { json, type Transaction } from '../../../platform/index.ts';
import { lockPlace } from '../../place.ts';
import { addToOwnScope } from '../../scopes.ts';
import type { CsvContext } from '../context.ts';
import type { GuessedFields } from '../describing/guess-fields.ts';
import type { CsvFileRow, CsvTables } from '../tables.ts';
import { hasRoom, isFull, refusalWithoutRoom, usageOf } from './room.ts';
import type { StoredFile } from './store-rows.ts';

export interface DescribedFile extends StoredFile, GuessedFields {
  readonly frequency: string | null;
}

/**
 * Makes an uploaded file visible, if its uploader still may add it and there still is room: of two that arrive at the
 * same moment where there is room for one, one does.
 */
export async function finishUpload(
  { database, clock }: CsvContext,
  principal: Account,
  { workspaceId, fileId }: { readonly workspaceId: string; readonly fileId: string },
  file: DescribedFile,
): Promise<CsvFileRow> {
  return database.transaction(async (tx) => {
    const place = await lockPlace(tx, principal, workspaceId, 'csv.write');
    const row = await describeFile(tx, { workspaceId, fileId, readyAt: clock.now() }, file);
    if (row === undefined) throw await refusalOf(tx, workspaceId, file.bytes);
    await addToOwnScope(tx, place, 'csv', fileId);
    return row;
  });
}

async function refusalOf(tx: Transaction, workspaceId: string, bytes: number): Promise<Fault> {
  const usage = await usageOf(tx, workspaceId);
  if (isFull(usage, bytes)) return refusalWithoutRoom(usage);
  return new Fault('UNAVAILABLE', 'The upload took so long that it was given up. Send it again.');
}

async function describeFile(
  tx: Transaction,
  { workspaceId, fileId, readyAt }: { workspaceId: string; fileId: string; readyAt: Date },
  file: DescribedFile,
): Promise<CsvFileRow | undefined> {
  const row = await tx
    .query<CsvTables>()
    .updateTable('csv_file')
    .set({
      ready_at: readyAt,
      bytes: file.bytes,
      sha256: file.sha256,
      rows: file.rows,
      encoding: file.encoding,
      delimiter: file.delimiter,
      has_header: file.hasHeader,
      columns: json(file.columns),
      time_field: file.timeField,
      value_field: file.valueField,
      frequency: file.frequency,
    })
    .where('id', '=', fileId)
    .where('ready_at', 'is', null)
    .where(hasRoom(workspaceId, file.bytes))
    .returningAll()
    .executeTakeFirst();
  return row as CsvFileRow | undefined;
}
