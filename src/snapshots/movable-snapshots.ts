import type { MovableThings } from '../platform/index.ts';
import { fromCanonicalForm, unpack } from './snapshot-store.ts';
import type { SnapshotTables } from './tables.ts';

/** The snapshots, whose packed columns can be in the database or in the object storage. */
export const MOVABLE_SNAPSHOTS: MovableThings = {
  kind: 'snapshots',
  table: 'snapshot',
  key: ['id'],
  thingOf: ([id]) => String(id),
  async isIntact(executor, [id], packed) {
    const row = await executor
      .query<SnapshotTables>()
      .selectFrom('snapshot')
      .select(['header', 'size', 'sha256'])
      .where('id', '=', String(id))
      .executeTakeFirst();
    if (row === undefined) return true;
    try {
      fromCanonicalForm(row.header, await unpack(Buffer.from(packed), row.size), row.sha256);
      return true;
    } catch {
      return false;
    }
  },
};
