import { rmSync } from 'node:fs';
import { Client } from 'pg';
import { openFoundation } from '../../src/compose/index.ts';
import { SCOPES } from '../../src/contract/index.ts';
import { createAccount, createApiKey } from '../../src/identity/index.ts';
import { createLog, type Database, openDatabase } from '../../src/platform/index.ts';
import type { Environment } from '../support/cli/almanac-process.ts';
import { emptyPostgres, preparedFolder, startService, temporaryFolder } from '../support/cli/service.ts';
import type { Random } from '../support/platform/seeded-random.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';
import type { ActivitySignal } from './activity-signal.ts';
import { type KillPlan, killRandomly } from './kill-randomly.ts';
import { ManagedProcess, type RunningProcess } from './managed-process.ts';
import { startWorkerProcess } from './worker-process.ts';

/** The account that creates the forecasts. */
export interface ChaosAccount {
  readonly id: string;
  readonly key: string;
}

/** The outcome of one request. */
export interface ResponseRecord {
  /** The process that got the request. */
  readonly service: RunningProcess['service'];
  readonly method: string;
  /** null: the connection broke */
  readonly status: number | 'timeout' | null;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A database, the processes that use it, an account and what disturbs them. */
export interface Installation extends AsyncDisposable {
  readonly name: string;
  readonly processes: readonly ManagedProcess[];
  readonly account: ChaosAccount;
  /** How long callers wait for a response. */
  readonly requestTimeoutMs: number;
  /** Receives the outcome of each request. */
  readonly onResponse?: (response: ResponseRecord) => void;
  /**
   * Disturbs the installation until the signal aborts. Resolves when everything runs again, with lines for the report.
   *
   * @param activity emits when a request is sent
   */
  disturb(random: Random, activity: ActivitySignal, signal: AbortSignal): Promise<string[]>;
  /** Returns violations that only this installation can have. */
  findViolations?(): string[];
  /** Opens the database directly, after the processes have stopped. */
  openDatabase(): Promise<Database>;
}

const APIS = 2;
const WORKERS = 3;

const REQUEST_TIMEOUT_MS = 30_000;

const ENVIRONMENT: Environment = { ALMANAC_RATE_ENTERPRISE: '1000000', ALMANAC_DATABASE_POOL: '5' };

export async function openPgliteInstallation(): Promise<Installation> {
  const folder = await preparedFolder();
  const account = await createChaosAccount({ ALMANAC_DATA: folder.data });
  const processes = [new ManagedProcess('api', () => startApi({ data: folder.data }))];
  const plan: KillPlan = { processes, killIntervals: { api: [1, 6], worker: [0, 0] }, cutConnections: null };
  return {
    name: 'pglite',
    processes,
    account,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    disturb: (...options) => killRandomly(plan, ...options),
    openDatabase: () => openDatabase({ folder: folder.data, lockWaitMs: 5_000 }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

export async function openPostgresInstallation(): Promise<Installation> {
  const server = await emptyPostgres();
  const folders = Array.from({ length: APIS + 1 }, temporaryFolder);
  const [shared = '', ...apiFolders] = folders;
  const environment = { ...ENVIRONMENT, DATABASE_URL: server.url, ALMANAC_DATA: shared };
  const account = await createChaosAccount(environment);
  const processes = [
    ...apiFolders.map((data) => new ManagedProcess('api', () => startApi({ data, databaseUrl: server.url }))),
    ...Array.from({ length: WORKERS }, () => new ManagedProcess('worker', () => startWorkerProcess(environment))),
  ];
  const plan: KillPlan = {
    processes,
    killIntervals: { api: [4, 9], worker: [1, 4] },
    cutConnections: () => cutSome(server.url),
  };
  return {
    name: 'postgres',
    processes,
    account,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    disturb: (...options) => killRandomly(plan, ...options),
    openDatabase: () => openDatabase({ url: server.url }),
    [Symbol.asyncDispose]: async () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      await server[Symbol.asyncDispose]();
    },
  };
}

async function startApi(options: { readonly data: string; readonly databaseUrl?: string }): Promise<RunningProcess> {
  const service = await startService({ ...options, environment: { ...ENVIRONMENT, ALMANAC_LOG_LEVEL: 'warn' } });
  const { ended, stderr, kill9, stop } = service;
  return { service, ended, stderr, kill9, stop };
}

/** Terminates each connection with the same probability, so that a process loses some and keeps others. */
async function cutSome(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from (
         select pid from pg_stat_activity
         where datname = current_database() and application_name like 'almanac%' and random() < 0.5
       ) as chosen`,
    );
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** Creates an account without the API, which cannot create accounts. */
export async function createChaosAccount(environment: Environment): Promise<ChaosAccount> {
  const { database, identity } = await openFoundation(loadTestConfig(environment), createLog('warn'));
  try {
    const { id } = await createAccount(identity, { email: 'chaos@example.org', plan: 'enterprise', verified: true });
    const { key } = await createApiKey(identity, { accountId: id, name: 'chaos', scopes: SCOPES });
    return { id, key };
  } finally {
    await database.close();
  }
}
