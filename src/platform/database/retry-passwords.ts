import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresPool } from 'kysely';

/** The server does not accept the password. */
const WRONG_PASSWORD = '28P01';
/** How long a connection waits for the file to have the password that the server has. */
const WAIT_MS = 10_000;
const PAUSE_MS = 200;

/**
 * Returns a pool that tries again when the server refuses the password. While an operator replaces it, the server has the
 * new one some moments before the file does, and callers must not notice. Every attempt reads the password again.
 */
export function withPasswordChanges(pool: PostgresPool, waitMs = WAIT_MS): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const startedAt = performance.now();
      for (;;) {
        try {
          return await pool.connect();
        } catch (error) {
          const isRefused = (error as { code?: unknown }).code === WRONG_PASSWORD;
          if (!isRefused || performance.now() - startedAt > waitMs) throw error;
          await sleep(PAUSE_MS);
        }
      }
    },
  };
}
