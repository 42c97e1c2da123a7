import { type Clock, type Database, type Executor, newId } from '../platform/index.ts';
import { fromCanonicalForm, type SnapshotContent, toCanonicalForm } from './canonical-form.ts';
import { pack, unpack } from './packing.ts';
import type { SnapshotTables } from './tables.ts';

export interface Snapshot extends SnapshotContent {
  readonly id: string;
  readonly sha256: string;
  readonly rows: number;
}

/**
 * How long a snapshot that nothing holds stays after its last noted use: a day, and the two hours by which that note
 * can be late (this file's and that of the exports).
 */
export const KEPT_UNUSED_MS = 26 * 3_600_000;
/** Reading moves the time of last use at most this often, so that reads do not become writes. */
const USE_NOTED_EVERY_MS = 3_600_000;

/** What the operations of this folder work with. */
export interface SnapshotContext {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Freezes a content: the same one, by whomever, is stored once and has one id. It can be read by any process from then
 * on, and for a day after its last use; what needs it longer must hold it.
 *
 * @example const { id } = await freeze(context, { about: { symbol: 'AAPL' }, table });
 */
export async function freeze(context: SnapshotContext, content: SnapshotContent): Promise<Snapshot> {
  const { header, columns, sha256 } = toCanonicalForm(content);
  const rows = content.table.timestamps.length;
  const known = await noteUse(context, sha256);
  if (known !== undefined) return { ...content, id: known, sha256, rows };
  const packed = await pack(columns);
  const now = context.clock.now();
  const { id } = await context.database
    .query<SnapshotTables>()
    .insertInto('snapshot')
    .values({
      id: newId('snap', now.getTime()),
      sha256,
      header,
      rows,
      size: columns.length,
      packed,
      created_at: now,
      last_used_at: now,
    })
    // Somebody else may have frozen the same in the meantime: both get that one.
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ last_used_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...content, id, sha256, rows };
}

/** The snapshot with this id, checked against its digest; null: there is none, or none any more. */
export async function readSnapshot(context: SnapshotContext, id: string): Promise<Snapshot | null> {
  const found = await context.database
    .query<SnapshotTables>()
    .selectFrom('snapshot')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) return null;
  const { sha256, header, rows, size } = found;
  const content = fromCanonicalForm(header, await unpack(Buffer.from(found.packed), size), sha256);
  if (isStale(context, found.last_used_at)) await noteUse(context, sha256);
  return { ...content, id, sha256, rows };
}

/** What the rows of a snapshot are, without the rows; null: there is none, or none any more. */
export async function readAbout(executor: Executor, id: string): Promise<SnapshotContent['about'] | null> {
  const found = await executor
    .query<SnapshotTables>()
    .selectFrom('snapshot')
    .select('header')
    .where('id', '=', id)
    .executeTakeFirst();
  return found === undefined ? null : (JSON.parse(found.header) as SnapshotContent).about;
}

/** Notes that a content is in use. @returns its id, if it is stored. */
async function noteUse({ database, clock }: SnapshotContext, sha256: string): Promise<string | undefined> {
  const found = await database
    .query<SnapshotTables>()
    .selectFrom('snapshot')
    .select(['id', 'last_used_at'])
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  if (found === undefined || !isStale({ clock }, found.last_used_at)) return found?.id;
  const touched = await database
    .query<SnapshotTables>()
    .updateTable('snapshot')
    .set({ last_used_at: clock.now() })
    .where('id', '=', found.id)
    .returning('id')
    .executeTakeFirst();
  return touched?.id;
}

function isStale({ clock }: Pick<SnapshotContext, 'clock'>, lastUsed: Date): boolean {
  return clock.now().getTime() - lastUsed.getTime() >= USE_NOTED_EVERY_MS;
}
