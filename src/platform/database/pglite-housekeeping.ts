import type { PGlite } from '@electric-sql/pglite';

export interface HousekeepingLog {
  warn(details: object, message: string): void;
}

const EVERY_MS = 60_000;
const LOG_BYTES_BEFORE_CHECKPOINT = 32 * 1024 * 1024;

/**
 * Does what PostgreSQL's background processes do and PGlite, having none, does not: checkpoints (or the log grows for
 * ever, and a start after a crash replays all of it), and vacuum and analyze (or dead rows stay and the planner guesses).
 * Each round does one of them at most, because everyone else waits meanwhile.
 *
 * @returns a function that stops it and waits for a round under way.
 */
export function startHousekeeping(
  pglite: PGlite,
  log: HousekeepingLog | undefined,
  everyMs = EVERY_MS,
): () => Promise<void> {
  let round: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    round = keepHouse(pglite).catch((error) => log?.warn({ err: error }, 'database housekeeping failed'));
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}

/** One round. @returns what it did. */
export async function keepHouse(pglite: PGlite): Promise<'checkpoint' | 'vacuum' | 'nothing'> {
  if ((await logBytes(pglite)) > LOG_BYTES_BEFORE_CHECKPOINT) {
    await pglite.exec('checkpoint');
    return 'checkpoint';
  }
  const table = await neediestTable(pglite);
  if (table === undefined) return 'nothing';
  await pglite.exec(`vacuum (analyze) ${table}`);
  return 'vacuum';
}

async function logBytes(pglite: PGlite): Promise<number> {
  const { rows } = await pglite.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
  );
  return rows[0]?.bytes ?? 0;
}

/** PostgreSQL's own rule for autovacuum and autoanalyze: a fixed number of rows plus a share of the table. */
async function neediestTable(pglite: PGlite): Promise<string | undefined> {
  const { rows } = await pglite.query<{ name: string }>(`
    select format('%I.%I', s.schemaname, s.relname) as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.n_dead_tup > 1000 + 0.2 * greatest(c.reltuples, 0)
       or s.n_mod_since_analyze > 500 + 0.1 * greatest(c.reltuples, 0)
    order by s.n_dead_tup desc, s.n_mod_since_analyze desc
    limit 1`);
  return rows[0]?.name;
}
