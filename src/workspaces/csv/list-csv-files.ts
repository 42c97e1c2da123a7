import { sql } from 'kysely';
import type { Account } from '../../access/index.ts';
import { type PageRequest, readNewestFirst } from '../../platform/index.ts';
import { requirePlace } from '../place.ts';
import type { CsvContext } from './context.ts';
import type { CsvFileRow, CsvTables } from './tables.ts';

const LISTED = [
  'id',
  'workspace_id',
  'name',
  'uploaded_by',
  'created_at',
  'bytes',
  'sha256',
  'rows',
  'time_field',
  'value_field',
  'frequency',
] as const;

/** A file in a list. */
export type CsvFileSummary = Pick<CsvFileRow, (typeof LISTED)[number]> & { readonly columns: number };

export interface CsvListRequest extends PageRequest {
  readonly workspace: string;
}

/** A page of the files that the caller's scope lets it see, newest first. */
export async function listCsvFiles(
  context: CsvContext,
  principal: Account,
  { workspace, limit, cursor }: CsvListRequest,
): Promise<{ files: CsvFileSummary[]; nextCursor: string | null }> {
  const { csv, workspaceId } = await requirePlace(context.database, principal, workspace, 'csv.list');
  const query = context.database
    .query<CsvTables>()
    .selectFrom('csv_file')
    .select(LISTED)
    .select(sql<number>`json_array_length(columns)`.as('columns'))
    .where('workspace_id', '=', workspaceId)
    .where('ready_at', 'is not', null)
    .where((where) =>
      where.or([where.val(csv.mode === 'all'), where('id', '=', where.fn.any(where.val([...csv.ids])))]),
    );
  const key = await context.cursorKey();
  const { rows, nextCursor } = await readNewestFirst(key, `files of ${workspaceId}`, { limit, cursor }, query);
  // Ready ones have all that a file in the making lacks.
  return { files: rows as CsvFileSummary[], nextCursor };
}
