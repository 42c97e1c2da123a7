import { sql } from 'kysely';
import type { Account } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import { openCursor, sealCursor } from '../../platform/index.ts';
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

export interface CsvListRequest {
  readonly workspace: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface Place {
  readonly createdAt: string;
  readonly id: string;
}

/** A page of the files that the caller's scope lets it see, newest first. */
export async function listCsvFiles(
  context: CsvContext,
  principal: Account,
  { workspace, limit, cursor }: CsvListRequest,
): Promise<{ files: CsvFileSummary[]; nextCursor: string | null }> {
  const { csv, workspaceId } = await requirePlace(context.database, principal, workspace, 'csv.list');
  const settings = `files of ${workspaceId}`;
  const key = await context.cursorKey();
  const after = cursor === undefined ? null : (openCursor(key, settings, cursor) as Place | null);
  if (cursor !== undefined && after === null) {
    throw new Fault('INVALID_REQUEST', 'cursor: was not made for this list.');
  }
  const rows = await context.database
    .query<CsvTables>()
    .selectFrom('csv_file')
    .select(LISTED)
    .select(sql<number>`json_array_length(columns)`.as('columns'))
    .where('workspace_id', '=', workspaceId)
    .where('ready_at', 'is not', null)
    .where((where) =>
      where.or([where.val(csv.mode === 'all'), where('id', '=', where.fn.any(where.val([...csv.ids])))]),
    )
    .$if(after !== null, (query) => {
      const { createdAt, id } = after as Place;
      return query.where((where) =>
        where(where.refTuple('created_at', 'id'), '<', where.tuple(new Date(createdAt), id)),
      );
    })
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const files = rows.slice(0, limit) as CsvFileSummary[];
  const last = files.at(-1);
  const place = rows.length > limit && last ? { createdAt: last.created_at.toISOString(), id: last.id } : null;
  return { files, nextCursor: place && sealCursor(key, settings, place) };
}
