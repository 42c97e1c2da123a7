import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isExecutable } from './is-executable.ts';

/** A running PgBouncer in front of a server. */
export interface PgBouncer extends AsyncDisposable {
  /** Returns the address of a database through PgBouncer, for the address of the database on its server. */
  urlOf(databaseUrl: string): string;
}

export interface PgBouncerOptions {
  readonly poolMode?: 'session' | 'transaction' | 'statement';
  /** Connections to the server for each database and role. Default: 2, so that clients share them. */
  readonly poolSize?: number;
  /** How long a client waits for a connection to the server. Default: two minutes. */
  readonly queryWaitSeconds?: number;
  /** Roles without a password that can connect, beside the user of TEST_DATABASE_URL. */
  readonly users?: readonly string[];
  /** A statement that PgBouncer runs on each new connection to the server. */
  readonly connectQuery?: string;
}

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(isExecutable);

/** Why tests of PgBouncer are skipped, or false. */
export const skipPgBouncer =
  process.env.TEST_DATABASE_URL === undefined
    ? 'TEST_DATABASE_URL is not set'
    : PROGRAM === undefined && 'pgbouncer is not installed';

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts PgBouncer on a free port in front of the server of TEST_DATABASE_URL.
 *
 * @example
 * await using pooler = await startPgBouncer();
 * const database = await openDatabase({ url: pooler.urlOf(server.url), directUrl: server.url });
 */
export async function startPgBouncer(options: PgBouncerOptions = {}): Promise<PgBouncer> {
  const server = new URL(process.env.TEST_DATABASE_URL ?? '');
  const folder = mkdtempSync(join(tmpdir(), 'almanac-pgbouncer-'));
  // Another process may take the free port first, so up to three attempts are made.
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    writeConfiguration(folder, server, port, options);
    const child = spawn(PROGRAM ?? 'pgbouncer', [...identity(), join(folder, 'pgbouncer.ini')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running.add(child);
    const ended = once(child, 'exit').then(() => running.delete(child));
    const failure = await waitUntilUp(child);
    if (failure === null) return toPgBouncer(child, ended, port, folder);
    if (attempt === 3) throw new Error(`PgBouncer did not start: ${failure}`);
  }
}

function toPgBouncer(child: ChildProcess, ended: Promise<unknown>, port: number, folder: string): PgBouncer {
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeConfiguration(
  folder: string,
  server: URL,
  port: number,
  { poolMode = 'transaction', poolSize = 2, queryWaitSeconds = 120, users = [], connectQuery }: PgBouncerOptions,
): void {
  const userList = join(folder, 'users.txt');
  const ownUser = [decodeURIComponent(server.username), decodeURIComponent(server.password)];
  const all = [ownUser, ...users.map((user) => [user, ''])];
  writeFileSync(userList, all.map(([name, password]) => `"${name}" "${password}"\n`).join(''));
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port || 5432}${connectQuery ? ` connect_query='${connectQuery}'` : ''}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${userList}`,
    `pool_mode = ${poolMode}`,
    `default_pool_size = ${poolSize}`,
    `query_wait_timeout = ${queryWaitSeconds}`,
    'max_client_conn = 500',
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  // PgBouncer runs as another user if the test runs as root.
  chmodSync(folder, 0o755);
}

/** PgBouncer refuses to run as root. */
function identity(): string[] {
  return process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
}

/** Returns null when PgBouncer is up, or its log if it ended. */
function waitUntilUp(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    let log = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000);
      if (log.includes('process up')) resolve(null);
    });
    child.once('exit', () => resolve(log));
  });
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
