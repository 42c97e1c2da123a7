import { rmSync } from 'node:fs';
import { Client } from 'pg';
import { openFoundation } from '../../src/compose/index.ts';
import { SCOPES } from '../../src/contract/index.ts';
import { createAccount, createApiKey } from '../../src/identity/index.ts';
import { createLog, type Database, loadConfig, openDatabase } from '../../src/platform/index.ts';
import type { Environment } from '../support/cli/almanac-process.ts';
import { emptyPostgres, preparedFolder, startService, temporaryFolder } from '../support/cli/service.ts';
import { Member, type RunningMember } from './member.ts';
import { startWorkerProcess } from './worker-process.ts';

/** Whoever makes the forecasts. */
export interface Customer {
  readonly id: string;
  readonly key: string;
}

/** A database, the processes on it and an account. */
export interface Scene extends AsyncDisposable {
  readonly kind: 'pglite' | 'postgres';
  readonly members: readonly Member[];
  readonly customer: Customer;
  /** Seconds of peace after a kill of a member of a role. */
  readonly killEvery: Readonly<Record<Member['role'], readonly [number, number]>>;
  /** Ends some connections from the server's side. Null: there are none. */
  readonly cutConnections: (() => Promise<number>) | null;
  /** Opens the database past the processes, which must have stopped. */
  openDatabase(): Promise<Database>;
}

const APIS = 2;
const WORKERS = 3;

const ENVIRONMENT: Environment = { ALMANAC_RATE_ENTERPRISE: '1000000', ALMANAC_DATABASE_POOL: '5' };

export async function scenePglite(): Promise<Scene> {
  const folder = await preparedFolder();
  const customer = await makeCustomer({ ALMANAC_DATA: folder.data });
  return {
    kind: 'pglite',
    members: [new Member('api', () => startApi({ data: folder.data }))],
    customer,
    killEvery: { api: [1, 6], worker: [0, 0] },
    cutConnections: null,
    openDatabase: () => openDatabase({ folder: folder.data, lockWaitMs: 5_000 }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

export async function scenePostgres(): Promise<Scene> {
  const server = await emptyPostgres();
  const folders = Array.from({ length: APIS + 1 }, temporaryFolder);
  const [shared = '', ...own] = folders;
  const environment = { ...ENVIRONMENT, DATABASE_URL: server.url, ALMANAC_DATA: shared };
  const customer = await makeCustomer(environment);
  return {
    kind: 'postgres',
    members: [
      ...own.map((data) => new Member('api', () => startApi({ data, databaseUrl: server.url }))),
      ...Array.from({ length: WORKERS }, () => new Member('worker', () => startWorkerProcess(environment))),
    ],
    customer,
    killEvery: { api: [4, 9], worker: [1, 4] },
    cutConnections: () => cutSome(server.url),
    openDatabase: () => openDatabase({ url: server.url }),
    [Symbol.asyncDispose]: async () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      await server[Symbol.asyncDispose]();
    },
  };
}

async function startApi(place: { readonly data: string; readonly databaseUrl?: string }): Promise<RunningMember> {
  const service = await startService({ ...place, environment: { ...ENVIRONMENT, ALMANAC_LOG_LEVEL: 'warn' } });
  const { ended, stderr, kill9, stop } = service;
  return { service, ended, stderr, kill9, stop };
}

/** Each connection with the same chance, so that a process loses some and keeps others. */
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

/** Made past the API, which cannot make accounts. */
async function makeCustomer(environment: Environment): Promise<Customer> {
  const { database, identity } = await openFoundation(loadConfig(environment), createLog('warn'));
  try {
    const { id } = await createAccount(identity, { email: 'chaos@example.org', plan: 'enterprise', verified: true });
    const { key } = await createApiKey(identity, { accountId: id, name: 'chaos', scopes: SCOPES });
    return { id, key };
  } finally {
    await database.close();
  }
}
