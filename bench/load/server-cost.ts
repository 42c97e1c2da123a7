import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Database } from '../../src/platform/index.ts';
import { findChildren } from '../../test/support/platform/child-processes.ts';
import { cpuSeconds } from '../api/process-cost.ts';

/** What a PostgreSQL server has used so far. */
export interface ServerCost {
  readonly cpuSeconds: number;
  /** The bytes of the write-ahead log. */
  readonly logBytes: number;
}

/** Returns the process that has started those of the connections. */
export async function findServer(database: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(database.query());
  const stat = readFileSync(`/proc/${rows[0]?.pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Returns the CPU seconds of the processes that run now. Those of connections that have ended are missing. */
export function readServerCpu(server: number): number {
  return [server, ...findChildren(server)].reduce((sum, pid) => sum + cpuOf(pid), 0);
}

function cpuOf(pid: number): number {
  try {
    return cpuSeconds(pid);
  } catch {
    // It has just ended.
    return 0;
  }
}

export async function readServerCost(database: Database): Promise<ServerCost> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`.execute(database.query());
  return { cpuSeconds: readServerCpu(await findServer(database)), logBytes: rows[0]?.bytes ?? 0 };
}

export function costSince(before: ServerCost, now: ServerCost): ServerCost {
  return { cpuSeconds: now.cpuSeconds - before.cpuSeconds, logBytes: now.logBytes - before.logBytes };
}
