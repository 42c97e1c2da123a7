import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BigqueryEngine,
  type BigqueryEngineOptions,
  createBigqueryEngine,
} from '../../../src/datasets/warehouse/bigquery/bigquery-engine.ts';
import type { BigqueryTable } from '../../../src/datasets/warehouse/bigquery/bigquery-table.ts';
import { readServiceAccount, type ServiceAccount } from '../../../src/datasets/warehouse/bigquery/service-account.ts';
import type { WarehouseColumn, WarehouseQuery } from '../../../src/datasets/warehouse/engine.ts';
import { type CallLimits, createProviderClient } from '../../../src/platform/index.ts';
import { testAccount } from './bigquery-accounts.ts';
import { type BigqueryServer, type ServedTable, startBigqueryServer } from './bigquery-server.ts';

export const PROJECT = 'almanac-tests';

/** Daily weather of two stations. */
export const WEATHER: ServedTable = {
  dataset: 'weather',
  table: 'daily',
  fields: [
    { name: 'day', type: 'DATE', mode: 'REQUIRED', description: 'The day.' },
    { name: 'station', type: 'STRING' },
    { name: 'temperature', type: 'FLOAT' },
    { name: 'rain', type: 'NUMERIC' },
    { name: 'frosts', type: 'INTEGER' },
    { name: 'wet', type: 'BOOLEAN' },
  ],
  rows: [
    ['2024-01-01', 'Oslo', -4.5, '0', 24, false],
    ['2024-01-01', 'Rome', 9.25, '1.2', 0, true],
    ['2024-01-02', 'Oslo', -6, '0.5', 24, true],
    ['2024-01-02', 'Rome', null, '0', 0, false],
    ['2024-01-03', 'Oslo', 1e-7, null, 3, null],
    ['2024-02-01', 'Oslo', 2, '12.345678901', 1, true],
  ],
};

export interface BigqueryScene extends AsyncDisposable {
  readonly server: BigqueryServer;
  readonly engine: BigqueryEngine;
  readonly account: ServiceAccount;
  /** The current time of the engine and of the server, in milliseconds. */
  readonly clock: { now: number };
}

export interface SceneOptions extends Partial<Pick<BigqueryEngineOptions, 'deadlineMs' | 'sleep' | 'connect'>> {
  readonly tables?: readonly ServedTable[];
  readonly pageRows?: number;
}

/** Starts a server with tables and creates the engine for it. The engine waits for nothing but replies. */
export async function createBigqueryScene(options: SceneOptions = {}): Promise<BigqueryScene> {
  const { tables = [WEATHER], pageRows, ...engineOptions } = options;
  const clock = { now: Date.UTC(2024, 5, 1) };
  const server = await startBigqueryServer({
    account: testAccount(),
    project: PROJECT,
    tables,
    clock: () => clock.now,
    ...(pageRows !== undefined && { pageRows }),
  });
  const account = await readAccount(testAccount().file(server.tokenUri));
  const engine = createBigqueryEngine({
    clock: { now: () => new Date(clock.now) },
    account,
    project: PROJECT,
    url: server.url,
    connect: connectAtOnce,
    sleep: noSleep,
    ...engineOptions,
  });
  return {
    server,
    engine,
    account,
    clock,
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const noSleep = async () => {};

/** Opens a client without a budget that retries without a delay. */
export function connectAtOnce({ signal, totalMs = 20_000, attemptMs }: CallLimits = {}) {
  const deadline = Date.now() + totalMs;
  return createProviderClient({ provider: 'bigquery', gate: null, sleep: noSleep, signal, deadline, attemptMs });
}

/** Reads the account of a key file with this content. */
export async function readAccount(content: unknown): Promise<ServiceAccount> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-account-'));
  try {
    const path = join(folder, 'key.json');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return await readServiceAccount(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the metadata of a table that exists. */
export async function describe(engine: BigqueryEngine, name = 'bigquery-public-data.weather.daily') {
  const table = await engine.describe(name);
  if (table === null) throw new Error(`The server has no table ${name}.`);
  return table;
}

export interface QueryFields extends Partial<Omit<WarehouseQuery, 'time' | 'value' | 'filters'>> {
  readonly time?: string;
  readonly format?: WarehouseQuery['time']['format'];
  readonly value?: string;
  readonly filters?: readonly (readonly [column: string, ...values: WarehouseQuery['filters'][number]['values']])[];
}

/** Returns a query of a table: by default the temperatures of all days. */
export function queryOf(table: BigqueryTable, fields: QueryFields = {}): WarehouseQuery {
  const columnOf = (name: string): WarehouseColumn => {
    const column = table.columns.find((known) => known.name === name);
    if (column === undefined) throw new Error(`The table has no column ${name}.`);
    return column;
  };
  const { time = 'day', format = null, value = 'temperature', filters = [], ...others } = fields;
  return {
    from: null,
    to: null,
    aggregate: null,
    maxRows: 50_000,
    ...others,
    time: { column: columnOf(time), format },
    value: columnOf(value),
    filters: filters.map(([name, ...values]) => ({ column: columnOf(name), values })),
  };
}
