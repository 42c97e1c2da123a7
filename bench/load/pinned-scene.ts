import { execFileSync } from 'node:child_process';
import { createIdentityContext, MIGRATIONS } from '../../src/compose/index.ts';
import { SCOPES } from '../../src/contract/index.ts';
import { createAccount, createApiKey } from '../../src/identity/index.ts';
import { type Database, systemClock } from '../../src/platform/index.ts';
import { startService } from '../../test/support/cli/service.ts';
import { findChildren } from '../../test/support/platform/child-processes.ts';
import { openTestDatabase } from '../../test/support/platform/database.ts';
import { readMetricsPage } from '../../test/support/platform/metrics-page.ts';
import { cpuSeconds } from '../api/process-cost.ts';
import type { Target } from './drivers.ts';
import { findServer, readServerCpu } from './server-cost.ts';

/** The service on its own core; PostgreSQL and this process on another one. */
export interface PinnedScene extends Target, AsyncDisposable {
  readonly database: Database;
  /** The address of the database. */
  readonly url: string;
  /** The CPU seconds of the service's process and of the server's processes so far. */
  readCpu(): { readonly service: number; readonly server: number };
  /** The statements that the service has sent so far, not counting those of the queue. */
  countStatements(): Promise<number>;
}

const METRICS_PORT = 9_464;
export const SERVICE_CORE = 0;
export const OTHER_CORE = 1;

/** Pins a process with all of its threads to a core. */
export function pin(pid: number, core: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)], { stdio: 'ignore' });
}

export async function openPinnedScene(): Promise<PinnedScene> {
  await using open = new AsyncDisposableStack();
  const fixture = open.use(await openTestDatabase('postgres', { migrations: MIGRATIONS, queue: true }));
  const { database, location } = fixture;
  const server = await findServer(database);
  for (const pid of [server, ...findChildren(server), process.pid]) pin(pid, OTHER_CORE);
  const identity = createIdentityContext({ database, clock: systemClock });
  const { id } = await createAccount(identity, { email: 'load@example.org', plan: 'enterprise', verified: true });
  const { key } = await createApiKey(identity, { accountId: id, name: 'load', scopes: SCOPES });
  const environment = {
    ALMANAC_LOG_LEVEL: 'warn',
    ALMANAC_RATE_ENTERPRISE: '1000000',
    ALMANAC_METRICS: `127.0.0.1:${METRICS_PORT}`,
  };
  const service = open.use(await startService({ databaseUrl: location.url ?? '', environment }));
  pin(service.pid, SERVICE_CORE);
  const kept = open.move();
  return {
    port: service.port,
    key,
    database,
    url: location.url ?? '',
    readCpu: () => ({
      service: cpuSeconds(service.pid),
      server: readServerCpu(server),
    }),
    async countStatements() {
      const page = await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`);
      const name = 'almanac_database_query_duration_seconds_count';
      const { labelsOf, value } = readMetricsPage(await page.text());
      return labelsOf(name).reduce((sum, labels) => sum + (value(name, labels) ?? 0), 0);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
