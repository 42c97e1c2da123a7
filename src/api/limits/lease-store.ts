import { sql } from 'kysely';
import type { Database } from '../../platform/index.ts';

export const WINDOW_SECONDS = 60;

/** Part of what is left that one process takes at a time, and the most it takes. */
const LEASE_SHARE = 10;
const LARGEST_LEASE = 100;

export interface Grant {
  /** Tokens that this process may spend. 0: the window is used up. */
  readonly granted: number;
  /** Tokens handed out in this window to all processes, these included. */
  readonly used: number;
  readonly secondsLeft: number;
}

/**
 * Takes tokens of a key's present window, in one statement, so that processes share one count. The window begins with
 * the first request and is measured by the database's clock, so that the processes' own need not agree.
 */
export async function takeTokens(database: Database, key: string, limit: number): Promise<Grant> {
  const fresh = leaseOf(limit);
  const { rows } = await sql<Grant & { seconds_left: number }>`
    INSERT INTO rate_window AS w (key, started_at, used, granted)
    VALUES (${key}, now(), ${fresh}::int, ${fresh}::int)
    ON CONFLICT (key) DO UPDATE SET (started_at, used, granted) = (
      SELECT
        CASE WHEN expired THEN now() ELSE w.started_at END,
        CASE WHEN expired THEN ${fresh}::int ELSE w.used + lease END,
        CASE WHEN expired THEN ${fresh}::int ELSE lease END
      FROM (
        SELECT
          w.started_at <= now() - make_interval(secs => ${WINDOW_SECONDS}) AS expired,
          least(${LARGEST_LEASE}::int, ceil(greatest(0, ${limit}::int - w.used) / ${LEASE_SHARE}::float8))::int AS lease
      ) AS state
    )
    RETURNING granted, used,
      extract(epoch FROM started_at + make_interval(secs => ${WINDOW_SECONDS}) - now())::float8 AS seconds_left
  `.execute(database.query());
  const row = rows[0];
  if (!row) throw new Error('The rate window was neither made nor changed.');
  return { granted: row.granted, used: row.used, secondsLeft: row.seconds_left };
}

function leaseOf(left: number): number {
  return Math.min(LARGEST_LEASE, Math.ceil(left / LEASE_SHARE));
}

/** Windows that ended long ago. */
export async function removeOldWindows(database: Database): Promise<void> {
  await sql`
    DELETE FROM rate_window WHERE started_at < now() - make_interval(secs => ${10 * WINDOW_SECONDS})
  `.execute(database.query());
}
