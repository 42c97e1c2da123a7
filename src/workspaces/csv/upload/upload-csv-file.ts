import type { Account } from '../../../access/index.ts';
import { requireMembership } from '../../memberships.ts';
import { guessFields } from '../describing/describe-columns.ts';
import type { UploadContext } from '../find-csv-file.ts';
import type { DeclaredCsv } from '../reading/csv-reader.ts';
import type { CsvFileRow } from '../tables.ts';
import { beginUpload, finishUpload, removeUpload } from './pending-upload.ts';
import { guessFrequency, storeRows } from './store-rows.ts';
import { requireStorageLeft } from './upload-storage.ts';

interface CsvUpload {
  readonly workspace: string;
  readonly name: string;
  readonly declared: DeclaredCsv;
  readonly body: AsyncIterable<Buffer>;
  /** The id of a file that is deleted when the new one is stored. */
  readonly replaces?: string | undefined;
  /** If the caller has stored the same file since this time, it is returned and nothing is stored. */
  readonly notSince?: Date | undefined;
}

/**
 * Adds a file to a workspace. Its rows are stored as they arrive, but stay invisible until the file is published at the
 * end. Therefore no transaction waits for a slow client, and an upload that is interrupted or invalid leaves nothing
 * behind.
 */
export async function uploadCsvFile(
  context: UploadContext,
  principal: Account,
  { workspace, name, declared, body, replaces, notSince }: CsvUpload,
): Promise<CsvFileRow> {
  const { database } = context;
  const membership = await requireMembership(database, principal, workspace, 'csv.write');
  const { workspaceId } = membership;
  await requireStorageLeft(context, principal, membership);
  const fileId = await beginUpload(context, { workspaceId, name, accountId: principal.accountId });
  try {
    const stored = await storeRows(context, fileId, body, declared);
    const guessed = guessFields(stored.columns);
    const frequency = await guessFrequency(database, fileId, stored, guessed.timeField);
    const pending = { workspaceId, fileId, name, replaces, notSince };
    return await finishUpload(context, principal, pending, { ...stored, ...guessed, frequency });
  } catch (error) {
    // The first error is thrown even if the removal fails, because `removeAbandonedUploads` repeats the removal later.
    await removeUpload(context, fileId).catch(() => undefined);
    throw error;
  }
}
