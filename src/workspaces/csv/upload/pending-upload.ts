import { sql } from 'kysely';
import type { Account } from '../../../access/index.ts';
import { HOUR_MS } from '../../../calendar/index.ts';
import type { Fault } from '../../../contract/index.ts';
import { type Executor, json, newId, type Transaction } from '../../../platform/index.ts';
import { replacedFileNotFound, tooManyUploads, uploadAbandoned, workspaceDenied } from '../../faults.ts';
import { type FoundMembership, lockMembership } from '../../memberships.ts';
import { addToOwnScope, replaceInScopes } from '../../scopes.ts';
import { removeCsvFile } from '../delete-csv-file.ts';
import type { GuessedFields } from '../describing/describe-columns.ts';
import type { CsvContext, UploadContext } from '../find-csv-file.ts';
import { hasStorageFor, isFull, readStorage, storageFault } from '../storage.ts';
import type { CsvFileRow, CsvTables } from '../tables.ts';
import type { StoredFile } from './store-rows.ts';
import { requireStorage } from './upload-storage.ts';

/**
 * Maximum number of concurrent uploads to one workspace. The number is limited because the bytes of an unfinished
 * upload are not counted yet.
 */
const MAX_UPLOADS = 10;
const RETRY_AFTER_SECONDS = 5;
/** An unfinished upload is removed after this time, which is longer than any upload should take. */
const ABANDONED_AFTER_MS = HOUR_MS;

interface NewUpload {
  readonly workspaceId: string;
  readonly name: string;
  readonly accountId: string;
}

/** An upload whose rows are stored, and what becomes of earlier files. */
interface PendingUpload {
  readonly workspaceId: string;
  readonly fileId: string;
  readonly name: string;
  readonly replaces: string | undefined;
  readonly notSince: Date | undefined;
}

interface DescribedFile extends StoredFile, GuessedFields {
  readonly frequency: string | null;
}

/**
 * Inserts the row that the chunks of an upload belong to. Operations do not return it before `finishUpload`. Throws a
 * fault before the body is read if the workspace is full; `finishUpload` checks this again.
 *
 * @returns the id of the file
 */
export async function beginUpload(
  { database, clock }: CsvContext,
  { workspaceId, name, accountId }: NewUpload,
): Promise<string> {
  const now = clock.now();
  const id = newId('csv', now.getTime());
  const begun = await sql`
    INSERT INTO csv_file (id, workspace_id, name, uploaded_by, created_at)
    SELECT ${id}, id, ${name}, ${accountId}, ${now}::timestamptz FROM workspace
    WHERE id = ${workspaceId} AND ${hasStorageFor(workspaceId, 1)} AND (
      SELECT count(*) FROM csv_file WHERE workspace_id = ${workspaceId} AND ready_at IS NULL
    ) < ${MAX_UPLOADS}
    FOR KEY SHARE
    RETURNING id`.execute(database.query());
  if (begun.rows.length > 0) return id;
  const usage = await readStorage(database, workspaceId);
  if (isFull(usage, 1)) throw storageFault(usage);
  if (usage.uploads < MAX_UPLOADS) throw workspaceDenied();
  throw tooManyUploads(MAX_UPLOADS, RETRY_AFTER_SECONDS);
}

/**
 * Publishes an uploaded file, if the caller may still add it and the workspace still has storage for it. If two uploads
 * finish at the same time and only one fits, one succeeds.
 */
export async function finishUpload(
  context: UploadContext,
  principal: Account,
  pending: PendingUpload,
  file: DescribedFile,
): Promise<CsvFileRow> {
  const { workspaceId, fileId, replaces } = pending;
  return context.database.transaction(async (tx) => {
    const membership = await lockMembership(tx, principal, workspaceId, 'csv.write');
    const same = await findSameFile(tx, membership, principal, { ...pending, file });
    if (same !== null) {
      await removePending(tx, fileId);
      return same;
    }
    // The old file goes first, because the workspace may have no storage for both.
    if (replaces !== undefined && !(await removeCsvFile(tx, membership, replaces))) throw replacedFileNotFound();
    const row = await publishFile(tx, { workspaceId, fileId, readyAt: context.clock.now() }, file);
    if (row === undefined) throw await unpublishedFault(tx, workspaceId, file.bytes);
    if (replaces === undefined) await addToOwnScope(tx, membership, 'csv', fileId);
    else await replaceInScopes(tx, workspaceId, 'csv', { removed: replaces, added: fileId });
    await requireStorage(context, tx, principal, membership);
    return row;
  });
}

interface SameFile extends PendingUpload {
  readonly file: DescribedFile;
}

/** Finds the file that the same form stored when it was sent before: with the same name, bytes and reading. */
async function findSameFile(
  tx: Transaction,
  { workspaceId, csv }: FoundMembership,
  { accountId }: Account,
  { name, notSince, file }: SameFile,
): Promise<CsvFileRow | null> {
  if (notSince === undefined) return null;
  const rows = await tx
    .query<CsvTables>()
    .selectFrom('csv_file')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('uploaded_by', '=', accountId)
    .where('created_at', '>=', notSince)
    .where('ready_at', 'is not', null)
    .where('name', '=', name)
    .where('sha256', '=', file.sha256)
    .execute();
  const read = JSON.stringify([file.encoding, file.delimiter, file.hasHeader, file.columns.map(readingOf)]);
  const same = (rows as CsvFileRow[])
    .filter(({ id }) => csv.mode === 'all' || csv.ids.includes(id))
    .find((row) => JSON.stringify([row.encoding, row.delimiter, row.has_header, row.columns.map(readingOf)]) === read);
  return same ?? null;
}

function readingOf({ name, type, format }: DescribedFile['columns'][number]): readonly unknown[] {
  return [name, type, format];
}

async function unpublishedFault(tx: Transaction, workspaceId: string, bytes: number): Promise<Fault> {
  const usage = await readStorage(tx, workspaceId);
  return isFull(usage, bytes) ? storageFault(usage) : uploadAbandoned();
}

async function publishFile(
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
      skipped: json(file.skipped),
    })
    .where('id', '=', fileId)
    .where('ready_at', 'is', null)
    .where(hasStorageFor(workspaceId, file.bytes))
    .returningAll()
    .executeTakeFirst();
  return row as CsvFileRow | undefined;
}

/** Removes an unfinished upload and its stored chunks. */
export async function removeUpload({ database }: Pick<CsvContext, 'database'>, fileId: string): Promise<void> {
  await removePending(database, fileId);
}

async function removePending(executor: Executor, fileId: string): Promise<void> {
  await executor
    .query<CsvTables>()
    .deleteFrom('csv_file')
    .where('id', '=', fileId)
    .where('ready_at', 'is', null)
    .execute();
}

/** Removes old unfinished uploads, whose process ended before it could remove them. */
export async function removeAbandonedUploads({ database, clock }: Omit<CsvContext, 'cursorKey'>): Promise<void> {
  const before = new Date(clock.now().getTime() - ABANDONED_AFTER_MS);
  await database
    .query<CsvTables>()
    .deleteFrom('csv_file')
    .where('ready_at', 'is', null)
    .where('created_at', '<', before)
    .execute();
}
