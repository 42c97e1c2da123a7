import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Disk, mountDisk } from './disk.ts';
import { findPostgres } from './find-programs.ts';
import type { Host } from './network.ts';
import { SupervisedProcess } from './supervised-process.ts';

export const POSTGRES_PORT = 5432;

const AS_OWNER = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--'];
const DISK_MIB = 512;
const READY_MS = 90_000;

/**
 * fsync is off, because it protects only against a loss of power, which nothing here simulates: what a killed server wrote is
 * in the memory of the machine.
 */
const SETTINGS = {
  listen_addresses: '*',
  port: String(POSTGRES_PORT),
  max_connections: '200',
  shared_buffers: '32MB',
  fsync: 'off',
  synchronous_commit: 'on',
  max_wal_size: '96MB',
  min_wal_size: '8MB',
  wal_keep_size: '96MB',
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '500ms',
  // A server ends the connections of clients that have vanished.
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '1',
  tcp_keepalives_count: '5',
  tcp_user_timeout: '10s',
};

/** A PostgreSQL server with its own host and disk. */
export class PostgresServer {
  readonly host: Host;
  readonly disk: Disk;
  readonly #data: string;
  readonly #process: SupervisedProcess;

  /** @param folder the folder of the run */
  constructor(host: Host, folder: string) {
    this.host = host;
    this.disk = mountDisk(join(folder, `${host.name}-disk`), DISK_MIB, 'postgres');
    this.#data = join(this.disk.path, 'data');
    const command = [...host.prefix, ...AS_OWNER, join(findPostgres() ?? '', 'postgres'), '-D', this.#data];
    this.#process = new SupervisedProcess(command, join(folder, `${host.name}.log`));
  }

  /** Creates an empty cluster. */
  create(subnet: string): void {
    this.#runAsOwner(
      'initdb',
      `--pgdata=${this.#data}`,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--wal-segsize=1',
      '--no-sync',
    );
    const settings = { ...SETTINGS, unix_socket_directories: this.disk.path };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    writeFileSync(join(this.#data, 'postgresql.conf'), lines.join(''));
    const rules = ['local all all trust', `host all all ${subnet} trust`, `host replication all ${subnet} trust`];
    writeFileSync(join(this.#data, 'pg_hba.conf'), `${rules.join('\n')}\n`);
  }

  /** Replaces the files with a copy of those of a running server, which this one then follows. */
  copyFrom(primary: PostgresServer): void {
    for (const name of readdirSync(this.disk.path))
      rmSync(join(this.disk.path, name), { recursive: true, force: true });
    const { address } = primary.host;
    this.#runAsOwner(
      'pg_basebackup',
      `--pgdata=${this.#data}`,
      `--host=${address}`,
      '--username=postgres',
      '--write-recovery-conf',
      '--wal-method=stream',
      '--checkpoint=fast',
      '--no-sync',
    );
    // The last line of a setting counts. Sockets are on the own disk.
    writeFileSync(join(this.#data, 'postgresql.conf'), `unix_socket_directories = '${this.disk.path}'\n`, {
      flag: 'a',
    });
  }

  start(): void {
    this.#process.start();
  }

  /** Ends the server, and every other process of its host. */
  async end(): Promise<void> {
    const ended = this.#process.stop('SIGKILL');
    this.host.signalAll('SIGKILL');
    await ended;
  }

  /** Runs a statement on the server itself, also while its link is cut. */
  async query<Row extends object>(text: string): Promise<Row[]> {
    // The socket is a file, which every namespace sees.
    const client = new Client({
      host: this.disk.path,
      user: 'postgres',
      database: 'postgres',
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Waits until a statement returns a row. */
  async waitFor(text: string, maxMs = READY_MS): Promise<void> {
    const startedAt = performance.now();
    for (;;) {
      const rows = await this.query(text).catch(() => []);
      if (rows.length > 0) return;
      if (performance.now() - startedAt > maxMs) throw new Error(`${this.host.name} did not reach: ${text}`);
      await sleep(100);
    }
  }

  #runAsOwner(program: string, ...args: string[]): void {
    const [command = '', ...rest] = [...this.host.prefix, ...AS_OWNER, join(findPostgres() ?? '', program), ...args];
    execFileSync(command, rest, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  }
}
