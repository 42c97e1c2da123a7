import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { HOUR_MS, MINUTE_MS } from '../../../calendar/index.ts';
import { canonicalJson } from '../../../contract/index.ts';
import { freeze, readSnapshot, type SnapshotContext } from '../../../snapshots/index.ts';
import type { RawRows, WarehouseQuery } from '../engine.ts';
import type { BilledTables } from './tables.ts';

/** The time for which the rows of a read are used instead of an identical read. */
const LIFETIME_MS = HOUR_MS;
/** Changes when the meaning of a stored query or its rows changes, so that those of an earlier build are not used. */
const FORM = 1;
/** The kind of the snapshots. No operation returns snapshots of this kind. */
const KIND = 'warehouse_read';

/** A read whose rows are stored. */
export interface StoredRead {
  readonly snapshotId: string;
  readonly estimatedBytes: number;
}

/**
 * Returns the key of a read. It has no account, so that all accounts share the rows. The order of filters and of their
 * values does not change it.
 */
export function keyOfRead(table: string, query: WarehouseQuery): string {
  const filters = query.filters.map(({ column, values }) => [column.name, values.map(canonicalJson).sort()] as const);
  const ordered = filters.map(canonicalJson).sort();
  return createHash('sha256')
    .update(canonicalJson({ form: FORM, table, query: { ...query, filters: ordered } }))
    .digest('hex');
}

/** Returns an identical read of the last hour whose snapshot exists; null if there is none. */
export async function findRead({ database, clock }: SnapshotContext, key: string): Promise<StoredRead | null> {
  const now = clock.now().getTime();
  const { rows } = await sql<{ snapshot_id: string; estimated_bytes: number }>`
    SELECT snapshot_id, estimated_bytes FROM warehouse_rows AS stored
    WHERE key = ${key}
      -- The clock may have been set back since.
      AND read_at > ${new Date(now - LIFETIME_MS)} AND read_at < ${new Date(now + MINUTE_MS)}
      AND EXISTS (SELECT 1 FROM snapshot WHERE id = stored.snapshot_id)
  `.execute(database.query());
  const [row] = rows;
  return row === undefined ? null : { snapshotId: row.snapshot_id, estimatedBytes: row.estimated_bytes };
}

/** Returns the rows of a stored read; null if their snapshot was removed. */
export async function loadRows(context: SnapshotContext, { snapshotId }: StoredRead): Promise<RawRows | null> {
  const snapshot = await readSnapshot(context, snapshotId);
  const { time, value } = snapshot?.table.columns ?? {};
  if (snapshot?.about.kind !== KIND || time === undefined || value === undefined) return null;
  return { times: time, values: value };
}

/** Stores the rows of a read, so that identical reads can use them. */
export async function storeRead(
  context: SnapshotContext,
  key: string,
  { times, values }: RawRows,
  estimatedBytes: number,
): Promise<void> {
  // Times of raw rows can repeat, which those of a snapshot must not.
  const timestamps = Float64Array.from(times, (_, row) => row);
  const table = { timestamps, columns: { time: times, value: values } };
  const { id } = await freeze(context, { about: { kind: KIND }, table });
  const row = { snapshot_id: id, estimated_bytes: estimatedBytes, read_at: context.clock.now() };
  await context.database
    .query<BilledTables>()
    .insertInto('warehouse_rows')
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}

/** Removes the stored reads that are too old to be used. Their snapshots are removed like all without a holder. */
export async function removeOldRows({ database, clock }: SnapshotContext): Promise<void> {
  const before = new Date(clock.now().getTime() - LIFETIME_MS);
  await database.query<BilledTables>().deleteFrom('warehouse_rows').where('read_at', '<', before).execute();
}
