import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFaketime } from './clock.ts';

const POSTGRES = '/usr/lib/postgresql';
export const PGBOUNCER = '/usr/sbin/pgbouncer';

/** Returns the folder of the programs of the newest PostgreSQL, or null if it is not installed. */
export function findPostgres(): string | null {
  if (!existsSync(POSTGRES)) return null;
  const versions = readdirSync(POSTGRES).sort((a, b) => Number(b) - Number(a));
  const folders = versions.map((version) => join(POSTGRES, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** Returns what the chaos with hosts needs and this machine does not have. */
export function findMissing(): string[] {
  if (process.platform !== 'linux') return ['Linux'];
  if (process.getuid?.() !== 0) return ['the rights of root'];
  const missing: string[] = [];
  if (findPostgres() === null) missing.push('PostgreSQL (apt-get install postgresql)');
  if (!existsSync(PGBOUNCER)) missing.push('PgBouncer (apt-get install pgbouncer)');
  if (findFaketime() === null) missing.push('libfaketime (apt-get install libfaketime)');
  if (!runs('ip', '-Version')) missing.push('ip (apt-get install iproute2)');
  if (missing.length === 0 && !canMakeHosts())
    missing.push('network namespaces, bridges and mounts, which are forbidden here');
  return missing;
}

/** In most containers, root may not make namespaces. */
function canMakeHosts(): boolean {
  return runs(
    'unshare',
    '--net',
    '--mount',
    'sh',
    '-c',
    'ip link add almchprobe type bridge && ip link add almchprobe0 type veth peer name almchprobe1 && mount -t tmpfs tmpfs /mnt',
  );
}

function runs(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
