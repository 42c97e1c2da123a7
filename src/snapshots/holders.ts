import { sql } from 'kysely';
import type { Transaction } from '../platform/index.ts';
import type { SnapshotTables } from './tables.ts';

/**
 * Keeps a snapshot for as long as the holder needs it, in the transaction that makes the holder.
 * @returns false when the snapshot is gone: freeze the rows again.
 *
 * @example if (!(await holdSnapshot(tx, snapshot.id, forecast.id))) …
 */
export async function holdSnapshot(tx: Transaction, id: string, holder: string): Promise<boolean> {
  // The lock on the row makes a removal that runs at the same moment wait, and then see the holder.
  const { rows } = await sql`
    INSERT INTO snapshot_holder (snapshot_id, holder)
    SELECT id, ${holder} FROM snapshot WHERE id = ${id} FOR KEY SHARE
    ON CONFLICT (snapshot_id, holder) DO UPDATE SET holder = excluded.holder
    RETURNING snapshot_id`.execute(tx.query<SnapshotTables>());
  return rows.length > 0;
}

/** The holders need no snapshot any more. */
export async function releaseSnapshots(tx: Transaction, holders: readonly string[]): Promise<void> {
  await sql`DELETE FROM snapshot_holder WHERE holder = ANY (${[...holders]}::text[])`.execute(
    tx.query<SnapshotTables>(),
  );
}
