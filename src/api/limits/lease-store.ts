import { sql } from 'kysely';
import type { Database } from '../../platform/index.ts';

export const WINDOW_SECONDS = 60;

/** A process takes a tenth of the remaining tokens at a time, at most 100. */
const LEASE_SHARE = 10;
const MAX_LEASE = 100;

export interface TokenLease {
  /** Number of tokens that this process got; 0 if none are left in the window. */
  readonly granted: number;
  /** Identifies the window, so that tokens of an earlier window are not added to it. */
  readonly window: number;
  /** Number of tokens that all processes have taken in this window, including those just granted. */
  readonly used: number;
  readonly secondsLeft: number;
}

/**
 * Takes tokens from the current window of a key in one statement, so that all processes share one count. The window
 * begins with the first request. It uses the clock of the database, so the clocks of the processes need not agree. A
 * window that begins in the future has expired: the clock was set back. `now()` would be the time before the statement
 * waited for the row, so a window that another process has just begun would seem to begin in the future.
 *
 * @param needed the number of tokens to take, if so many are left. More are taken in advance
 */
export async function takeTokens(database: Database, key: string, limit: number, needed = 1): Promise<TokenLease> {
  const fresh = Math.min(limit, Math.max(needed, leaseSize(limit)));
  const { rows } = await sql<TokenLease & { seconds_left: number }>`
    INSERT INTO rate_window AS w (key, started_at, used, granted)
    VALUES (${key}, clock_timestamp(), ${fresh}::int, ${fresh}::int)
    ON CONFLICT (key) DO UPDATE SET (started_at, used, granted) = (
      SELECT
        CASE WHEN expired THEN at ELSE w.started_at END,
        CASE WHEN expired THEN ${fresh}::int ELSE w.used + lease END,
        CASE WHEN expired THEN ${fresh}::int ELSE lease END
      FROM (
        SELECT
          at,
          w.started_at <= at - make_interval(secs => ${WINDOW_SECONDS}) OR w.started_at > at AS expired,
          least(
            greatest(0, ${limit}::int - w.used),
            greatest(${needed}::int, least(${MAX_LEASE}::int, ceil((${limit}::int - w.used) / ${LEASE_SHARE}::float8)))
          )::int AS lease
        FROM (SELECT clock_timestamp() AS at) AS clock
      ) AS state
    )
    RETURNING granted, used, extract(epoch FROM started_at)::float8 AS "window",
      extract(epoch FROM started_at + make_interval(secs => ${WINDOW_SECONDS}) - clock_timestamp())::float8 AS seconds_left
  `.execute(database.query());
  const row = rows[0];
  if (!row) throw new Error('The rate window was neither inserted nor updated.');
  return { granted: row.granted, used: row.used, window: row.window, secondsLeft: row.seconds_left };
}

/**
 * Counts tokens for work that was already done, even if fewer are left: later requests of the window are then refused.
 * Returns the tokens that all processes have taken.
 */
export async function chargeTokens(
  database: Database,
  key: string,
  tokens: number,
): Promise<TakenTokens & Pick<TokenLease, 'window'>> {
  const { rows } = await sql<{ used: number; window: number; seconds_left: number }>`
    INSERT INTO rate_window AS w (key, started_at, used, granted)
    VALUES (${key}, clock_timestamp(), ${tokens}::int, 0)
    ON CONFLICT (key) DO UPDATE SET (started_at, used, granted) = (
      SELECT CASE WHEN expired THEN at ELSE w.started_at END, CASE WHEN expired THEN 0 ELSE w.used END + ${tokens}::int, 0
      FROM (
        SELECT at, w.started_at <= at - make_interval(secs => ${WINDOW_SECONDS}) OR w.started_at > at AS expired
        FROM (SELECT clock_timestamp() AS at) AS clock
      ) AS state
    )
    RETURNING used, extract(epoch FROM started_at)::float8 AS "window",
      extract(epoch FROM started_at + make_interval(secs => ${WINDOW_SECONDS}) - clock_timestamp())::float8 AS seconds_left
  `.execute(database.query());
  const row = rows[0];
  if (!row) throw new Error('The rate window was neither inserted nor updated.');
  return { used: row.used, window: row.window, secondsLeft: row.seconds_left };
}

/** The tokens that all processes have taken from the current window of a key. */
export type TakenTokens = Pick<TokenLease, 'used' | 'secondsLeft'>;

/** Returns the current window of a key without taking tokens; null if no window has begun. */
export async function readWindow(database: Database, key: string): Promise<TakenTokens | null> {
  const { rows } = await sql<{ used: number; seconds_left: number }>`
    SELECT used, extract(epoch FROM started_at + make_interval(secs => ${WINDOW_SECONDS}) - now())::float8 AS seconds_left
    FROM rate_window
    WHERE key = ${key} AND started_at > now() - make_interval(secs => ${WINDOW_SECONDS})
      AND started_at <= clock_timestamp()
  `.execute(database.query());
  const [row] = rows;
  return row ? { used: row.used, secondsLeft: row.seconds_left } : null;
}

function leaseSize(left: number): number {
  return Math.min(MAX_LEASE, Math.ceil(left / LEASE_SHARE));
}

/** Removes windows that ended long ago, and those that begin in the future because the clock was set back. */
export async function removeOldWindows(database: Database): Promise<void> {
  await sql`
    DELETE FROM rate_window WHERE started_at < now() - make_interval(secs => ${10 * WINDOW_SECONDS})
      OR started_at > now() + make_interval(secs => ${10 * WINDOW_SECONDS})
  `.execute(database.query());
}
