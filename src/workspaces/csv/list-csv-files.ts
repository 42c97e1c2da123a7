import { sql } from 'kysely';
import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import type { CsvFile } from '../../contract/index.ts';
import { type PageRequest, readNewestFirst } from '../../platform/index.ts';
import { requireMembership } from '../memberships.ts';
import type { CsvContext } from './find-csv-file.ts';
import { readStorage } from './storage.ts';
import type { CsvFileRow, CsvTables } from './tables.ts';

const SUMMARY_COLUMNS = [
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

/** A file in a list, with the number of its columns. */
type CsvFileSummary = Pick<CsvFileRow, (typeof SUMMARY_COLUMNS)[number]> & { readonly columns: number };

/** What the files of a workspace take up. */
interface CsvUsage {
  readonly files: number;
  readonly bytes: number;
}

interface CsvListRequest extends PageRequest {
  readonly workspace: string;
}

/** Returns a page of the files in the caller's scope, newest first. */
export async function listCsvFiles(
  context: CsvContext,
  principal: Account,
  { workspace, limit, cursor }: CsvListRequest,
): Promise<{ files: CsvFileSummary[]; nextCursor: string | null; storage: CsvUsage | null }> {
  const { csv, workspaceId } = await requireMembership(context.database, principal, workspace, 'csv.list');
  const query = context.database
    .query<CsvTables>()
    .selectFrom('csv_file')
    .select(SUMMARY_COLUMNS)
    .select(sql<number>`json_array_length(columns)`.as('columns'))
    .where('workspace_id', '=', workspaceId)
    .where('ready_at', 'is not', null)
    .where((where) =>
      where.or([where.val(csv.mode === 'all'), where('id', '=', where.fn.any(where.val([...csv.ids])))]),
    );
  const key = await context.cursorKey();
  const { rows, nextCursor } = await readNewestFirst(key, `files of ${workspaceId}`, { limit, cursor }, query);
  // The columns that are null during an upload are set, because the query selects only files that are ready.
  const files = rows as CsvFileSummary[];
  if (csv.mode !== 'all') return { files, nextCursor, storage: null };
  // The number and size of all files would disclose those outside the scope of a member.
  const stored = await readStorage(context.database, workspaceId);
  return { files, nextCursor, storage: { files: stored.files, bytes: stored.bytes } };
}

/** Returns a file in a list in the format of the API. */
export function viewListedCsvFile({ columns, ...file }: CsvFileSummary) {
  return { ...viewFileFields(file), columns };
}

/** Returns a file in the format of the API. */
export function viewCsvFile(file: CsvFileRow): z.output<typeof CsvFile> {
  return {
    ...viewFileFields(file),
    encoding: file.encoding,
    delimiter: file.delimiter,
    header: file.has_header ? 'present' : 'absent',
    columns: file.columns.map(({ name, type, format, nulls, examples, note }) => ({
      name,
      type,
      format,
      nulls,
      examples: [...examples],
      note,
    })),
    skipped: (file.skipped ?? []).map(({ line, kind, text }) => ({ line, kind, text })),
  };
}

function viewFileFields(file: Omit<CsvFileSummary, 'columns'>) {
  return {
    id: file.id,
    workspace_id: file.workspace_id,
    name: file.name,
    rows: file.rows,
    size_bytes: file.bytes,
    sha256: file.sha256,
    time_field: file.time_field,
    value_field: file.value_field,
    frequency: file.frequency,
    uploaded_by: file.uploaded_by,
    created_at: file.created_at.toISOString(),
  };
}
