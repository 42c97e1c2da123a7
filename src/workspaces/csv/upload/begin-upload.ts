import { sql } from 'kysely';
import { Fault } from '../../../contract/index.ts';
import { newId } from '../../../platform/index.ts';
import { workspaceDenied } from '../../place.ts';
import type { CsvContext } from '../context.ts';
import { hasRoom, isFull, refusalWithoutRoom, usageOf } from './room.ts';

/** Uploads into one workspace at a time, so that what is not counted yet stays small. */
const MAX_UPLOADS = 10;
const TRY_AGAIN_SECONDS = 5;

export interface NewUpload {
  readonly workspaceId: string;
  readonly name: string;
  readonly accountId: string;
}

/**
 * Makes the row that the chunks of an upload hang on. Nothing shows it before `finishUpload`. A workspace that is full
 * is refused here, before its upload is read for nothing; what decides is what `finishUpload` finds.
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
    WHERE id = ${workspaceId} AND ${hasRoom(workspaceId, 1)} AND (
      SELECT count(*) FROM csv_file WHERE workspace_id = ${workspaceId} AND ready_at IS NULL
    ) < ${MAX_UPLOADS}
    FOR KEY SHARE
    RETURNING id`.execute(database.query());
  if (begun.rows.length > 0) return id;
  const usage = await usageOf(database, workspaceId);
  if (isFull(usage, 1)) throw refusalWithoutRoom(usage);
  if (usage.uploads < MAX_UPLOADS) throw workspaceDenied();
  throw new Fault('RATE_LIMITED', `${MAX_UPLOADS} files of the workspace are being uploaded. Wait for one to end.`, {
    retryAfter: TRY_AGAIN_SECONDS,
  });
}
