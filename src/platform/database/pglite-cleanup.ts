import type { PGlite } from '@electric-sql/pglite';
import { MINUTE_MS } from '../../calendar/index.ts';

export interface CleanupLog {
  warn(details: object, message: string): void;
}

export interface CleanupOptions {
  readonly disk?: { isLow(): boolean } | undefined;
  readonly intervalMs?: number;
}

const INTERVAL_MS = MINUTE_MS;
const SEGMENT_BYTES = 16 * 1024 * 1024;
const LOG_BYTES_BEFORE_CHECKPOINT = 32 * 1024 * 1024;

/**
 * Does the work of PostgreSQL's background processes, which PGlite does not have. Without checkpoints, the write-ahead
 * log would grow without limit, and PGlite would replay all of it when it starts after a crash. Without vacuum and
 * analyze, dead rows would stay and the planner would lack statistics. Each round runs at most one command, because
 * other statements wait for it.
 *
 * @returns a function that stops the rounds and waits for the current one
 */
export function startCleanup(
  pglite: PGlite,
  log: CleanupLog | undefined,
  { disk, intervalMs = INTERVAL_MS }: CleanupOptions = {},
): () => Promise<void> {
  let round: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // A vacuum writes to the log, which has no space.
    if (disk?.isLow()) return;
    round = vacuumOrCheckpoint(pglite).catch((error) => log?.warn({ err: error }, 'database cleanup failed'));
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}

/** Runs one round and returns which command it ran. */
export async function vacuumOrCheckpoint(pglite: PGlite): Promise<'checkpoint' | 'vacuum' | 'nothing'> {
  if ((await logBytes(pglite)) > LOG_BYTES_BEFORE_CHECKPOINT) {
    await pglite.exec('checkpoint');
    return 'checkpoint';
  }
  const table = await tableToVacuum(pglite);
  if (table === undefined) return 'nothing';
  await pglite.exec(`vacuum (analyze) ${table}`);
  return 'vacuum';
}

/** Runs a checkpoint if it makes old segments of the write-ahead log unnecessary. */
export async function checkpointIfUseful(pglite: PGlite): Promise<void> {
  if ((await logBytes(pglite)) > SEGMENT_BYTES) await pglite.exec('checkpoint');
}

async function logBytes(pglite: PGlite): Promise<number> {
  const { rows } = await pglite.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
  );
  return rows[0]?.bytes ?? 0;
}

/** Returns the table that most needs a vacuum by a rule like PostgreSQL's: a number of rows plus a share of the table. */
async function tableToVacuum(pglite: PGlite): Promise<string | undefined> {
  const { rows } = await pglite.query<{ name: string }>(`
    select format('%I.%I', s.schemaname, s.relname) as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.n_dead_tup > 1000 + 0.2 * greatest(c.reltuples, 0)
       or s.n_mod_since_analyze > 500 + 0.1 * greatest(c.reltuples, 0)
    order by s.n_dead_tup desc, s.n_mod_since_analyze desc
    limit 1`);
  return rows[0]?.name;
}
