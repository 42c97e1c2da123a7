import { sql } from 'kysely';
import { DAY_MS } from '../../calendar/index.ts';
import { type Clock, oldRows, type Removal, type Transaction } from '../../platform/index.ts';
import { type FreeBytes, releaseSnapshots } from '../../snapshots/index.ts';

/** How long parts of finished forecasts are kept, in days; null for ever. */
export interface Retention {
  /** For the snapshots of canceled and failed forecasts. */
  readonly failedSnapshotDays: number | null;
  /** For the events of finished forecasts, except the last one. */
  readonly progressDays: number | null;
}

/** The number of rows that one transaction changes. It blocks every other statement of the embedded database. */
const BATCH = 200;

/** Returns a function that removes the snapshots of the oldest canceled and failed forecasts of payers. */
export function freeFailedSnapshots(clock: Clock): FreeBytes {
  return async (tx, payers, bytes) => {
    const ids = [...payers];
    // A forecast that another transaction has locked is skipped: that transaction may wait for the payer, which this
    // one has locked.
    const { rows } = await sql<{ id: string; bytes: number }>`
      SELECT forecast.id, coalesce(packed_bytes, octet_length(packed)) + octet_length(header) AS bytes
      FROM forecast JOIN snapshot ON snapshot.id = forecast.snapshot_id
      WHERE forecast.status = 'failed'
        AND (coalesce(forecast.workspace_id, forecast.owner) = ANY (${ids}::text[])
          OR forecast.guest_network = ANY (${ids}::text[]))
      ORDER BY forecast.finished_at, forecast.id
      LIMIT ${BATCH}
      FOR UPDATE OF forecast SKIP LOCKED`.execute(tx.query());
    let freed = 0;
    const enough = rows.filter((row) => {
      const isNeeded = freed < bytes;
      freed += row.bytes;
      return isNeeded;
    });
    await dropSnapshots(
      tx,
      enough.map(({ id }) => id),
      clock.now(),
    );
    return enough.length > 0;
  };
}

/** Removes the snapshots of failed forecasts, which must be locked. What identifies the snapshots is kept. */
async function dropSnapshots(tx: Transaction, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE forecast
    SET snapshot_id = NULL, removed_snapshot = json_build_object(
      'id', snapshot.id, 'sha256', snapshot.sha256, 'rows', snapshot.rows, 'removed_at', ${now.toISOString()}::text
    )
    FROM snapshot
    WHERE snapshot.id = forecast.snapshot_id AND forecast.id = ANY (${[...ids]}::text[]) AND forecast.status = 'failed'
  `.execute(tx.query());
  await releaseSnapshots(tx, ids);
}

/** Returns the removal of old parts of finished forecasts. */
export function oldParts({ failedSnapshotDays, progressDays }: Retention, now: Date): Removal[] {
  return [...oldFailedSnapshots(failedSnapshotDays, now), ...oldEvents(progressDays, now)];
}

function oldFailedSnapshots(days: number | null, now: Date): Removal[] {
  if (days === null) return [];
  const before = new Date(now.getTime() - days * DAY_MS);
  const removeBatch = async (tx: Transaction, limit: number) => {
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM forecast
      WHERE status = 'failed' AND snapshot_id IS NOT NULL AND finished_at < ${before}
      ORDER BY finished_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(tx.query());
    await dropSnapshots(
      tx,
      rows.map(({ id }) => id),
      now,
    );
    return rows.length;
  };
  return [{ kind: 'failed_snapshots', removeBatch }];
}

/**
 * The last event stays, so that streams still end with it. The age counts from the end of the forecast: a client that
 * watched it can resume until then without a gap.
 */
function oldEvents(days: number | null, now: Date): Removal[] {
  if (days === null) return [];
  const before = new Date(now.getTime() - days * DAY_MS);
  const where = sql`kind IN ('queued', 'progress') AND EXISTS (
    SELECT FROM forecast WHERE forecast.id = forecast_event.forecast_id
      AND status IN ('completed', 'failed') AND finished_at < ${before})`;
  return oldRows({ kind: 'progress_events', table: 'forecast_event', column: 'created_at', days, now, where });
}
