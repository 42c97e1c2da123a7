import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGBOUNCER } from './find-programs.ts';
import type { Host } from './network.ts';
import { SupervisedProcess } from './supervised-process.ts';

export const POOLER_PORT = 6432;

/** PgBouncer on a host of its own, in front of the fixed address of the database. */
export interface Pooler {
  readonly host: Host;
  start(): void;
  stop(): Promise<void>;
  /** @param downMs how long it stays ended */
  restart(signal: NodeJS.Signals, downMs: number): Promise<void>;
}

export function createPooler(host: Host, databaseAddress: string, folder: string): Pooler {
  mkdirSync(folder);
  const users = join(folder, 'users.txt');
  const configuration = join(folder, 'pgbouncer.ini');
  writeFileSync(users, '"postgres" ""\n');
  // As docs/operations.md recommends for a database with a standby.
  writeFileSync(
    configuration,
    `[databases]
* = host=${databaseAddress} port=5432
[pgbouncer]
listen_addr = ${host.address}
listen_port = ${POOLER_PORT}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 1000
query_wait_timeout = 10
server_connect_timeout = 5
server_login_retry = 1
tcp_keepidle = 5
tcp_keepintvl = 1
tcp_keepcnt = 5
tcp_user_timeout = 10000
`,
  );
  chmodSync(folder, 0o755);
  const program = [...host.prefix, PGBOUNCER, '-q', '-u', 'postgres', configuration];
  const server = new SupervisedProcess(program, join(folder, 'pgbouncer.log'));
  return {
    host,
    start: () => server.start(),
    stop: () => server.stop('SIGKILL'),
    async restart(signal, downMs) {
      await server.stop(signal);
      await sleep(downMs);
      server.start();
    },
  };
}
