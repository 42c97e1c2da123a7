import type { Account } from '../../../access/index.ts';
import { requirePlace } from '../../place.ts';
import type { CsvContext } from '../context.ts';
import { guessFields } from '../describing/guess-fields.ts';
import type { DeclaredCsv } from '../reading/csv-reader.ts';
import type { CsvFileRow } from '../tables.ts';
import { beginUpload } from './begin-upload.ts';
import { finishUpload } from './finish-upload.ts';
import { guessFrequency } from './guess-frequency.ts';
import { removeUpload } from './remove-upload.ts';
import { storeRows } from './store-rows.ts';

export interface CsvUpload {
  readonly workspace: string;
  readonly name: string;
  readonly declared: DeclaredCsv;
  readonly body: AsyncIterable<Buffer>;
}

/**
 * Adds a file to a workspace. Its rows are stored as they come, unseen, and shown by one statement at the end: no
 * transaction waits for a slow client, and what is broken off or cannot be read leaves nothing.
 */
export async function uploadCsvFile(
  context: CsvContext,
  principal: Account,
  { workspace, name, declared, body }: CsvUpload,
): Promise<CsvFileRow> {
  const { database } = context;
  const { workspaceId } = await requirePlace(database, principal, workspace, 'csv.write');
  const fileId = await beginUpload(context, { workspaceId, name, accountId: principal.accountId });
  try {
    const stored = await storeRows(database, fileId, body, declared);
    const guessed = guessFields(stored.columns);
    const frequency = await guessFrequency(database, fileId, stored, guessed.timeField);
    return await finishUpload(context, principal, { workspaceId, fileId }, { ...stored, ...guessed, frequency });
  } catch (error) {
    // What went wrong matters more than that it cannot be cleared away now: that is done later.
    await removeUpload(context, fileId).catch(() => undefined);
    throw error;
  }
}
