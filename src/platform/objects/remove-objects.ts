import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../log.ts';
import type { ObjectTables } from './tables.ts';

/** An object is written and claimed within seconds. After this time its writer has ended. */
const PENDING_MS = 60 * 60_000;
/** Longer than a read takes that found the object in its row. */
const UNUSED_MS = 10 * 60_000;
const BATCH = 100;

export interface RemovalContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Deletes the objects that no row names: those of removed and moved things, and those whose writer ended before it stored
 * the row. The list of objects keeps each until its deletion succeeded, so a run that is interrupted or fails is repeated
 * by the next one. Objects that came with a restored backup are only taken off the list, because the database that the
 * backup was made of may name them.
 *
 * @returns how many were deleted
 */
export async function removeUnusedObjects(
  { database, clock, log }: RemovalContext,
  signal?: AbortSignal,
): Promise<number> {
  const { objects } = database;
  if (objects === null) return 0;
  const now = clock.now().getTime();
  // A writer that is still alive then finds that its object was given up, and stores nothing.
  await database
    .query<ObjectTables>()
    .updateTable('stored_object')
    .set({ state: 'unused' })
    .where('state', '=', 'pending')
    .where('changed_at', '<', new Date(now - PENDING_MS))
    .execute();
  let removed = 0;
  for (;;) {
    const { rows } = await sql<{ key: string; shared: boolean }>`
      SELECT key, shared FROM stored_object WHERE state = 'unused' AND changed_at < ${new Date(now - UNUSED_MS)}
      ORDER BY changed_at LIMIT ${BATCH}`.execute(database.query());
    for (const { key, shared } of rows) {
      if (signal?.aborted) return removed;
      try {
        if (!shared) await objects.delete(key);
      } catch (error) {
        log.warn({ err: error }, 'unused objects could not be deleted; the next run repeats it');
        return removed;
      }
      await sql`DELETE FROM stored_object WHERE key = ${key} AND state = 'unused'`.execute(database.query());
      removed += 1;
    }
    if (rows.length < BATCH) return removed;
  }
}
