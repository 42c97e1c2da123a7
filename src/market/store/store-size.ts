import { sql } from 'kysely';
import type { Database } from '../../platform/index.ts';
import type { StoreTables } from './tables.ts';

/** The dependencies of the bar store's size. */
export interface StoreSizeContext {
  readonly database: Database;
  /** The size above which the least recently used series are removed. */
  readonly storeBytes: number;
}

/** Returns the size of the bar store and the number of its series. */
export async function readStoreStats({
  database,
}: Pick<StoreSizeContext, 'database'>): Promise<{ readonly bytes: number; readonly series: number }> {
  const { rows } = await sql<{ bytes: number; series: number }>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes, count(*) AS series FROM bar_series`.execute(
    database.query<StoreTables>(),
  );
  return rows[0] ?? { bytes: 0, series: 0 };
}

/**
 * The number of series that one statement removes. The statement blocks every other one of the embedded database.
 */
const BATCH = 100;

/**
 * Removes the least recently used series until the rest is within the size of the store. Snapshots are copies and are
 * not affected.
 *
 * @returns how many series were removed
 */
export async function removeLeastUsed(context: StoreSizeContext): Promise<number> {
  const { database, storeBytes } = context;
  for (let removed = 0; ; ) {
    const { bytes } = await readStoreStats(context);
    if (bytes <= storeBytes) return removed;
    const { rows } = await sql<{ id: number }>`
      DELETE FROM bar_series WHERE id IN (
        SELECT id FROM (
          SELECT id, used_at, sum(bytes) OVER (ORDER BY used_at, id) - bytes AS older_bytes FROM bar_series
        ) AS counted WHERE older_bytes < ${bytes - storeBytes}::float8 ORDER BY used_at, id LIMIT ${BATCH}
      ) RETURNING id`.execute(database.query<StoreTables>());
    if (rows.length === 0) return removed;
    removed += rows.length;
  }
}

/** The store is checked again after it has grown by this share of its size. */
const CHECKED_SHARE = 1 / 64;

/** The bytes that this process has added since it last checked the size. */
const added = new WeakMap<Database, number>();

/** Counts bytes that were added, and removes the least recently used series after the store has grown. */
export async function countAddedBytes(context: StoreSizeContext, bytes: number): Promise<void> {
  const { database, storeBytes } = context;
  const sum = (added.get(database) ?? Number.POSITIVE_INFINITY) + Math.max(0, bytes);
  added.set(database, sum);
  if (sum <= storeBytes * CHECKED_SHARE) return;
  added.set(database, 0);
  await removeLeastUsed(context);
}
