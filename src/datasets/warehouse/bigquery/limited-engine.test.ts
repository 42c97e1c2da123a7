import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { movableClock } from '../../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../../test/support/platform/database.ts';
import { ALL_LICENSES, ANONYMOUS } from '../../../access/index.ts';
import { Fault, type WarehouseReference } from '../../../contract/index.ts';
import { type Database, ProviderError } from '../../../platform/index.ts';
import {
  createSnapshotExports,
  createSourceRegistry,
  type SeriesSource,
  snapshotMigrations,
} from '../../../snapshots/index.ts';
import { datasetMigrations } from '../../migrations/index.ts';
import { readObservations } from '../../observations.ts';
import { MAX_READ_BYTES, type RawRows, type WarehouseQuery, type WarehouseTable } from '../engine.ts';
import { createDescribedTables } from './described-tables.ts';
import { countRead } from './limit-reads.ts';
import { createLimitedEngine } from './limited-engine.ts';
import { removeOldRows } from './reuse-reads.ts';

const OPTIONS = { migrations: [snapshotMigrations, datasetMigrations] };
const MINUTE = 60_000;
const DATE = { name: 'date', kind: 'date', type: 'DATE' } as const;
const VALUE = { name: 'temperature', kind: 'number', type: 'FLOAT64' } as const;
const TABLE: WarehouseTable = {
  name: 'bigquery-public-data.weather.daily',
  title: 'Weather',
  columns: [DATE, VALUE],
  rows: 3,
  ranges: new Map(),
  lastUpdate: null,
  publisher: 'Google',
  license: { name: 'not stated', url: null },
  notes: null,
};
const QUERY: WarehouseQuery = {
  time: { column: DATE, format: null },
  value: VALUE,
  filters: [],
  from: null,
  to: null,
  aggregate: null,
  maxRows: 10,
};
const ROWS: RawRows = { times: Float64Array.of(5, 5, Number.NaN, 3), values: Float64Array.of(1, Number.NaN, -2.5, 0) };

/** A limited engine over one that counts what is sent. */
function openEngine(database: Database) {
  const clock = movableClock('2026-03-02T10:00:00Z');
  const sent = { describe: 0, dryRun: 0, read: 0 };
  const state = {
    rows: ROWS,
    table: TABLE as WarehouseTable | null,
    warnings: 0,
    bytes: null as number | null,
    read: async (_signal?: AbortSignal): Promise<RawRows> => state.rows,
  };
  const context = {
    database,
    clock,
    mibPerDay: 1_000,
    log: { warn: () => void state.warnings++ },
    described: createDescribedTables({ database, clock }),
  };
  const engine = createLimitedEngine(
    {
      async describe() {
        sent.describe++;
        return state.table;
      },
      estimate: () => 7,
      async dryRun() {
        sent.dryRun++;
        return state.bytes ?? 1_000 + sent.dryRun;
      },
      async read(_table, _query, { signal }) {
        sent.read++;
        return state.read(signal);
      },
    },
    context,
  );
  /** Reads as a source does: after a dry run. */
  async function read(query = QUERY, accountId: string | undefined = 'acc_1', signal?: AbortSignal) {
    const estimatedBytes = await engine.dryRun(TABLE, query, { accountId, signal });
    return { estimatedBytes, rows: await engine.read(TABLE, query, { accountId, signal, estimatedBytes }) };
  }
  const counted = async () => {
    const { rows } = await sql<{ account_id: string }>`SELECT account_id FROM warehouse_read ORDER BY id`.execute(
      database.query(),
    );
    return rows.map(({ account_id }) => account_id);
  };
  return { engine, context, clock, sent, state, read, counted };
}

forEachDatabase('an identical read of the last hour is neither sent nor counted', OPTIONS, async ({ database }) => {
  const { clock, sent, read, counted, context, state } = openEngine(database);
  assert.deepEqual(await read(), { estimatedBytes: 1_001, rows: ROWS });
  clock.advance(60 * MINUTE - 1);
  assert.deepEqual(await read({ ...QUERY }, 'acc_2'), { estimatedBytes: 1_001, rows: ROWS });
  assert.deepEqual(sent, { describe: 0, dryRun: 1, read: 1 });
  assert.deepEqual(await counted(), ['acc_1']);
  clock.advance(1);
  state.rows = { times: new Float64Array(0), values: new Float64Array(0) };
  assert.equal((await read(QUERY, 'acc_2')).estimatedBytes, 1_002);
  assert.deepEqual((await read(QUERY, 'acc_3')).rows, state.rows, 'a read without rows is also used again');
  assert.deepEqual(sent, { describe: 0, dryRun: 2, read: 2 });
  assert.deepEqual(await counted(), ['acc_1', 'acc_2']);
  clock.advance(60 * MINUTE);
  await removeOldRows(context);
  clock.advance(1);
  await removeOldRows(context);
  const { rows } = await sql`SELECT 1 FROM warehouse_rows`.execute(database.query());
  assert.equal(rows.length, 0);
});

forEachDatabase('reads that differ are sent', OPTIONS, async ({ database }) => {
  const { engine, sent, read } = openEngine(database);
  await read();
  await read({ ...QUERY, maxRows: 11 });
  await read({ ...QUERY, filters: [{ column: VALUE, values: [1] }] });
  await read({ ...QUERY, filters: [{ column: VALUE, values: ['1'] }] });
  await read({ ...QUERY, aggregate: { function: 'mean', frequency: '1D' } });
  await engine.dryRun({ ...TABLE, name: 'bigquery-public-data.weather.hourly' }, QUERY, { accountId: 'acc_1' });
  assert.deepEqual(sent, { describe: 0, dryRun: 6, read: 5 });
});

forEachDatabase('a read whose snapshot was removed is dry-run and sent again', OPTIONS, async ({ database }) => {
  const { engine, clock, sent, state, read, counted } = openEngine(database);
  await read();
  await sql`DELETE FROM snapshot`.execute(database.query());
  await read();
  assert.deepEqual(sent, { describe: 0, dryRun: 2, read: 2 });
  clock.advance(30 * MINUTE);
  const options = { accountId: 'acc_1' };
  const estimatedBytes = await engine.dryRun(TABLE, QUERY, options);
  assert.equal(sent.dryRun, 2);
  await sql`DELETE FROM snapshot`.execute(database.query());
  await engine.read(TABLE, QUERY, { ...options, estimatedBytes });
  assert.deepEqual(sent, { describe: 0, dryRun: 3, read: 3 });
  await sql`DELETE FROM snapshot`.execute(database.query());
  clock.advance(30 * MINUTE);
  state.bytes = MAX_READ_BYTES + 1;
  const tooLarge = { code: 'UNPROCESSABLE', message: /would take 104,857,601 bytes, and at most 104,857,600/ };
  await assert.rejects(engine.read(TABLE, QUERY, { ...options, estimatedBytes }), tooLarge);
  assert.deepEqual(sent, { describe: 0, dryRun: 4, read: 3 });
  assert.equal((await counted()).length, 3);
});

forEachDatabase('concurrent identical reads are one and count once', OPTIONS, async ({ database }) => {
  const { sent, state, read, counted } = openEngine(database);
  const gate = Promise.withResolvers<RawRows>();
  state.read = () => gate.promise;
  const reads = ['acc_1', 'acc_2', 'acc_3'].map((account) => read(QUERY, account));
  while (sent.read === 0) await new Promise(setImmediate);
  gate.resolve(ROWS);
  const [first, ...others] = await Promise.all(reads);
  for (const other of others) {
    assert.deepEqual(other.rows, ROWS);
    assert.notEqual(other.rows.times, first?.rows.times, 'each caller has its own rows');
  }
  assert.equal(sent.read, 1);
  assert.equal((await counted()).length, 1);
});

forEachDatabase('the limit of the account that began a read is not that of others', OPTIONS, async ({ database }) => {
  const { engine, context, sent, counted } = openEngine(database);
  const accounts = ['acc_1', 'acc_2', 'acc_3'];
  for (const accountId of accounts) await engine.dryRun(TABLE, QUERY, { accountId });
  for (let i = 0; i < 20; i++) await countRead(context, { accountId: 'acc_1', estimatedBytes: 1 });
  const reads = accounts.map((accountId) => engine.read(TABLE, QUERY, { accountId, estimatedBytes: 1 }));
  const [first, second, third] = await Promise.allSettled(reads);
  assert.equal(first?.status === 'rejected' && first.reason.code, 'RATE_LIMITED');
  for (const other of [second, third]) assert.deepEqual(other, { status: 'fulfilled', value: ROWS });
  assert.equal(sent.read, 1);
  assert.deepEqual((await counted()).slice(20), ['acc_2']);

  const query = { ...QUERY, maxRows: 11 };
  await sql`UPDATE warehouse_read SET bytes = 1000 * 1048576`.execute(database.query());
  const refused = accounts.slice(1).map((accountId) => engine.read(TABLE, query, { accountId, estimatedBytes: 1 }));
  for (const one of await Promise.allSettled(refused)) {
    assert.equal(one.status === 'rejected' && one.reason.code, 'RATE_LIMITED', 'no read is left for any account');
  }
});

forEachDatabase('a read ends when the last of its callers aborts', OPTIONS, async ({ database }) => {
  const { engine, sent, state, counted, read } = openEngine(database);
  const signals: (AbortSignal | undefined)[] = [];
  const gate = Promise.withResolvers<RawRows>();
  state.read = (signal) => {
    signals.push(signal);
    signal?.addEventListener('abort', () => gate.reject(signal.reason), { once: true });
    return gate.promise;
  };
  const [one, other] = [new AbortController(), new AbortController()];
  const options = { accountId: 'acc_1', estimatedBytes: await engine.dryRun(TABLE, QUERY, { accountId: 'acc_1' }) };
  const first = engine.read(TABLE, QUERY, { ...options, signal: one.signal });
  const second = engine.read(TABLE, QUERY, { ...options, signal: other.signal });
  while (sent.read === 0) await new Promise(setImmediate);
  one.abort(new Error('the first left'));
  await assert.rejects(first, /the first left/);
  assert.equal(signals[0]?.aborted, false);
  // The API aborts with a fault, which is not one of BigQuery.
  other.abort(new Fault('INVALID_REQUEST', 'the second left'));
  await assert.rejects(second, /the second left/);
  assert.equal(signals[0]?.aborted, true);
  assert.deepEqual(await counted(), ['acc_1'], 'a canceled query may have been billed');
  state.read = async () => ROWS;
  assert.deepEqual((await read()).rows, ROWS, 'a later read does not join the aborted one');
  await assert.rejects(read(QUERY, 'acc_1', AbortSignal.abort(new Error('gone'))), /gone/);
});

forEachDatabase('a query that was refused is not counted, one without a reply is', OPTIONS, async ({ database }) => {
  const { state, read, counted } = openEngine(database);
  const fail = async (error: unknown) => {
    state.read = () => Promise.reject(error);
    await assert.rejects(read(), (thrown) => thrown === error);
    return (await counted()).length;
  };
  assert.equal(await fail(new ProviderError('bigquery', 'REJECTED')), 0);
  assert.equal(await fail(new ProviderError('bigquery', 'CIRCUIT_OPEN')), 0);
  assert.equal(await fail(new Fault('UNPROCESSABLE', 'source: above the limit.')), 0);
  assert.equal(await fail(new ProviderError('bigquery', 'TIMEOUT')), 1);
  assert.equal(await fail(new Fault('PROVIDER_FAILED', 'source: bigquery failed.')), 2);
  const cause = new ProviderError('bigquery', 'FORBIDDEN');
  assert.equal(await fail(Object.assign(new Fault('PROVIDER_FAILED', 'source: bigquery failed.'), { cause })), 2);
  assert.equal(await fail(new TypeError('unexpected')), 3);
  state.read = async () => ROWS;
  await read();
  assert.equal((await counted()).length, 4);
});

forEachDatabase('sends no read beyond the limit of an account', OPTIONS, async ({ database }) => {
  const { sent, read } = openEngine(database);
  for (let maxRows = 1; maxRows <= 20; maxRows++) await read({ ...QUERY, maxRows });
  await assert.rejects(read({ ...QUERY, maxRows: 21 }), { code: 'RATE_LIMITED' });
  assert.deepEqual([sent.dryRun, sent.read], [20, 20], 'not even a dry run is sent');
  assert.deepEqual((await read({ ...QUERY, maxRows: 20 })).rows, ROWS, 'stored rows can still be read');
});

forEachDatabase('nothing is sent or returned without an account', OPTIONS, async ({ database }) => {
  const { engine, sent, read } = openEngine(database);
  await read();
  await assert.rejects(engine.dryRun(TABLE, QUERY, {}), { code: 'ACCOUNT_REQUIRED' });
  await assert.rejects(engine.read(TABLE, QUERY, { estimatedBytes: 0 }), { code: 'ACCOUNT_REQUIRED' });
  assert.deepEqual(sent, { describe: 0, dryRun: 1, read: 1 });
});

forEachDatabase('the snapshot of a read is not a snapshot of observations', OPTIONS, async ({ database }) => {
  const { context, read } = openEngine(database);
  await read();
  const { rows } = await sql<{ id: string }>`SELECT snapshot_id AS id FROM warehouse_rows`.execute(database.query());
  const reference: WarehouseReference = {
    type: 'warehouse_table',
    table: TABLE.name,
    time_field: 'date',
    value_field: 'temperature',
  };
  const source = { type: 'warehouse_table', canonical: () => ({}), authorize: async () => {} };
  const sources = createSourceRegistry([source as unknown as SeriesSource]);
  const parts = { ...context, sources, licenses: ALL_LICENSES, exports: createSnapshotExports(context) };
  const request = { source: reference, snapshotId: rows[0]?.id ?? '' };
  await assert.rejects(readObservations(parts, ANONYMOUS, request), { code: 'NOT_FOUND' });
});

forEachDatabase('records the tables that are described, and forgets those that are gone', OPTIONS, async (fixture) => {
  const { engine, context, state, sent } = openEngine(fixture.database);
  assert.equal(await engine.describe(TABLE.name), TABLE);
  assert.deepEqual(
    (await context.described.list()).map(({ name }) => name),
    [TABLE.name],
  );
  state.table = null;
  assert.equal(await engine.describe(TABLE.name), null);
  assert.deepEqual(await context.described.list(), []);
  assert.equal(sent.describe, 2);
  state.table = { ...TABLE, title: 'A title that the database cannot store: \u0000' };
  assert.equal(await engine.describe(TABLE.name), state.table);
  assert.equal(state.warnings, 1);
  assert.equal(engine.estimate(TABLE, QUERY), 7);
});
