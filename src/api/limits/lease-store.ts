import { sql } from 'kysely';
import type { Database } from '../../platform/index.ts';

export const WINDOW_SECONDS = 60;

/** A process takes a tenth of the remaining tokens at a time, at most 100. */
const LEASE_SHARE = 10;
const MAX_LEASE = 100;

export interface TokenLease {
  /** Number of tokens that this process got; 0 if none are left in the window. */
  readonly granted: number;
  /** Number of tokens that all processes have taken in this window, including those just granted. */
  readonly used: number;
  readonly secondsLeft: number;
}

/**
 * Takes tokens from the current window of a key in one statement, so that all processes share one count. The window
 * begins with the first request. It uses the clock of the database, so the clocks of the processes need not agree.
 */
export async function takeTokens(database: Database, key: string, limit: number): Promise<TokenLease> {
  const fresh = leaseSize(limit);
  const { rows } = await sql<TokenLease & { seconds_left: number }>`
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
          least(${MAX_LEASE}::int, ceil(greatest(0, ${limit}::int - w.used) / ${LEASE_SHARE}::float8))::int AS lease
      ) AS state
    )
    RETURNING granted, used,
      extract(epoch FROM started_at + make_interval(secs => ${WINDOW_SECONDS}) - now())::float8 AS seconds_left
  `.execute(database.query());
  const row = rows[0];
  if (!row) throw new Error('The rate window was neither inserted nor updated.');
  return { granted: row.granted, used: row.used, secondsLeft: row.seconds_left };
}

/** The tokens that all processes have taken from the current window of a key. */
export type TakenTokens = Pick<TokenLease, 'used' | 'secondsLeft'>;

/** Returns the current window of a key without taking tokens; null if no window has begun. */
export async function readWindow(database: Database, key: string): Promise<TakenTokens | null> {
  const { rows } = await sql<{ used: number; seconds_left: number }>`
    SELECT used, extract(epoch FROM started_at + make_interval(secs => ${WINDOW_SECONDS}) - now())::float8 AS seconds_left
    FROM rate_window WHERE key = ${key} AND started_at > now() - make_interval(secs => ${WINDOW_SECONDS})
  `.execute(database.query());
  const [row] = rows;
  return row ? { used: row.used, secondsLeft: row.seconds_left } : null;
}

function leaseSize(left: number): number {
  return Math.min(MAX_LEASE, Math.ceil(left / LEASE_SHARE));
}

/** Removes windows that ended long ago. */
export async function removeOldWindows(database: Database): Promise<void> {
  await sql`
    DELETE FROM rate_window WHERE started_at < now() - make_interval(secs => ${10 * WINDOW_SECONDS})
  `.execute(database.query());
}
