import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createLog, openDatabase, removeUnusedObjects, systemClock } from '../../src/platform/index.ts';
import { freeze, readSnapshot, type Snapshot } from '../../src/snapshots/index.ts';
import { callAlmanac, type Environment, spawnAlmanac } from '../support/cli/almanac-process.ts';
import { resultOf } from '../support/cli/command-result.ts';
import { emptyPostgres, preparedFolder, startService } from '../support/cli/service.ts';
import { FORECASTS, inlineRequest, waitFor } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { type ObjectServer, openTestObjects, startObjectServer } from '../support/platform/object-server.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';

let server: ObjectServer;
before(async () => {
  server = await startObjectServer();
});
after(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.disturb = () => false;
});

/** Makes the storage silent, without the pauses between the attempts of a client. */
const silence = () => {
  server.disturb = (_request, response) => response.writeHead(503, { 'retry-after': '60' }).end();
};

/** The parts of the responses that the test reads. */
interface Body {
  readonly data: { readonly forecast_id: string; readonly status: string; readonly length: number };
}

/** Moves everything. Returns the report. */
async function move(environment: Environment, target: 's3' | 'database') {
  const { code, stdout, stderr } = await callAlmanac(['storage', 'move', '--to', target], environment);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /moved \d+ to (s3|database)\n$/);
  return JSON.parse(stdout) as { moved: number; bytes: number; skipped: number; damaged: string[] };
}

async function openScene(): Promise<{ environment: Environment } & AsyncDisposable> {
  const folder = await preparedFolder();
  if (testedKind === 'pglite') {
    return { environment: { ALMANAC_DATA: folder.data }, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  }
  const postgres = await emptyPostgres();
  const environment = { ALMANAC_DATA: folder.data, DATABASE_URL: postgres.url };
  await resultOf(environment, 'migrate');
  return {
    environment,
    async [Symbol.asyncDispose]() {
      await postgres[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Opens the database of an environment in this process, with the storage. */
async function openStored(environment: Environment) {
  const { databaseUrl: url, dataFolder: folder } = loadTestConfig(environment);
  return openDatabase({ ...(url ? { url } : { folder }), objects: openTestObjects(server), lockWaitMs: 10_000 });
}

test(`serves snapshots from the object storage, and moves them while it runs [${testedKind}]`, async () => {
  await using scene = await openScene();
  const environment = { ...scene.environment, ...server.environment };
  await using service = await startService({
    ...(scene.environment.ALMANAC_DATA && { data: scene.environment.ALMANAC_DATA }),
    ...(scene.environment.DATABASE_URL && { databaseUrl: scene.environment.DATABASE_URL }),
    environment: server.environment,
  });
  const request = async (path: string, body?: object) => {
    const init = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    const response = await service.fetch(`/api${path}`, init);
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  };
  const created = await request(FORECASTS, inlineRequest());
  assert.equal(created.status, 202, JSON.stringify(created.body));
  const id = created.body.data.forecast_id;
  await waitFor(
    async () => (await request(`${FORECASTS}/${id}`)).body.data.status,
    (status) => status === 'completed',
  );
  assert.ok(server.keys().length > 0);
  const history = (limit: number) =>
    request('/market-data/stocks/history', { symbol: '^GSPC', timeframe: '1D', limit });
  const bars = await history(500);
  assert.equal(bars.status, 200, JSON.stringify(bars.body));

  const listed = (await request(FORECASTS)).body.data.length;
  silence();
  for (const refused of [
    await request(FORECASTS, inlineRequest({ horizon: 2, source: { type: 'inline', points: otherPoints() } })),
    await history(1_000),
  ]) {
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('retry-after'), '5');
    assert.match(
      JSON.stringify(refused.body),
      /The object storage of the service does not respond\. Try again shortly\./,
    );
  }
  assert.equal((await request(FORECASTS)).body.data.length, listed);
  const waiting = await request(`${FORECASTS}/${id}/reproduce`, {});
  assert.equal(waiting.status, 202);
  server.requests.length = 0;
  await waitFor(
    async () => server.requests.some((one) => one.startsWith('GET')),
    (hasRead) => hasRead,
  );
  server.disturb = () => false;
  const waited = await waitFor(
    async () => (await request(`${FORECASTS}/${waiting.body.data.forecast_id}`)).body.data.status,
    (state) => state === 'completed' || state === 'failed',
  );
  assert.equal(waited, 'completed', 'the worker waits for the storage');

  const status = await resultOf(environment, 'storage', 'status');
  const { snapshots } = status as { snapshots: { s3: { things: number }; database: { things: number } } };
  assert.equal(snapshots.database.things, 0);
  const things = snapshots.s3.things;
  assert.ok(things >= 2);
  const moved = await move(environment, 'database');
  assert.deepEqual({ ...moved, bytes: 0 }, { to: 'database', moved: things, bytes: 0, skipped: 0, damaged: [] });
  silence();
  const reproduced = await request(`${FORECASTS}/${id}/reproduce`, {});
  assert.equal(reproduced.status, 202);
  await waitFor(
    async () => (await request(`${FORECASTS}/${reproduced.body.data.forecast_id}`)).body.data.status,
    (state) => state === 'completed',
  );
  server.disturb = () => false;
  const back = await move(environment, 's3');
  assert.equal(back.moved, things);
  const again = await move(environment, 's3');
  assert.deepEqual(again, { to: 's3', moved: 0, bytes: 0, skipped: things, damaged: [] });
  assert.deepEqual((await resultOf(environment, 'storage', 'check')).miscounted, []);
  assert.doesNotMatch(service.stderr() + service.stdout(), /S3RVER/);
  await service.stop();
  const unset = await callAlmanac(['storage', 'status'], scene.environment);
  assert.equal(unset.code, 0);
  assert.match(unset.stderr, /are in an object storage and cannot be read: set ALMANAC_S3_ENDPOINT/);
});

function otherPoints(): object[] {
  return Array.from({ length: 60 }, (_, i) => ({
    timestamp: new Date(Date.UTC(2020, 0, 1 + i)).toISOString(),
    value: (i * 7) % 13,
  }));
}

test(`a move that is killed is continued by the next one and loses nothing [${testedKind}]`, async () => {
  await using scene = await openScene();
  const environment = { ...scene.environment, ...server.environment };
  const keysBefore = server.keys().length;
  const snapshots: Snapshot[] = [];
  {
    const database = await openStored(environment);
    const context = { database: { ...database, objects: null }, clock: systemClock };
    for (let seed = 0; seed < 12; seed++) {
      const values = Float64Array.from({ length: 50 }, (_, i) => i * seed);
      const table = { timestamps: Float64Array.from(values, (_, i) => i), columns: { close: values } };
      snapshots.push(await freeze(context, { about: { seed }, table }));
    }
    await database.close();
  }
  // Each process takes a second to open the embedded database, so only one way is tried on it.
  const targets = testedKind === 'postgres' ? (['s3', 'database'] as const) : (['s3'] as const);
  for (const target of targets) {
    const killAt = Promise.withResolvers<void>();
    let requests = 0;
    // The request gets no reply, so the process is killed in the middle of a thing.
    server.disturb = ({ method }) => {
      if (method === 'DELETE' || ++requests <= 7) return false;
      killAt.resolve();
      return true;
    };
    const { child, ended } = spawnAlmanac('src/cli/almanac.ts', ['storage', 'move', '--to', target], environment);
    await Promise.race([killAt.promise, ended.then((ending) => assert.fail(ending.stderr))]);
    child.kill('SIGKILL');
    await ended;
    server.disturb = () => false;
    await checkAll(environment, snapshots);
    const { moved, skipped, damaged } = await move(environment, target);
    assert.ok(skipped > 0 && moved > 0, `${moved} and ${skipped}`);
    assert.deepEqual([moved + skipped, damaged], [snapshots.length, []]);
  }
  await checkAll(environment, snapshots);
  const added = testedKind === 'postgres' ? 0 : snapshots.length;
  assert.equal(server.keys().length, keysBefore + added, 'no object without a row is left');
});

/** Reads all snapshots, and deletes the objects that no row names. */
async function checkAll(environment: Environment, snapshots: readonly Snapshot[]): Promise<void> {
  const database = await openStored(environment);
  try {
    for (const snapshot of snapshots) {
      assert.deepEqual(await readSnapshot({ database, clock: systemClock }, snapshot.id), snapshot);
    }
    const later = { now: () => new Date(Date.now() + 2 * 3_600_000) };
    await removeUnusedObjects({ database, clock: later, log: createLog('silent') });
  } finally {
    await database.close();
  }
}

test('states what a move needs', async () => {
  await using folder = await preparedFolder();
  const environment = { ALMANAC_DATA: folder.data };
  const without = await callAlmanac(['storage', 'move', '--to', 's3'], environment);
  assert.deepEqual([without.code, without.stdout], [1, '']);
  assert.match(without.stderr, /must set ALMANAC_S3_ENDPOINT/);
  const nowhere = await callAlmanac(['storage', 'move', '--to', 'disk'], environment);
  assert.deepEqual([nowhere.code, nowhere.stderr], [2, 'almanac: --to must be s3 or database.\n']);
  silence();
  const empty = await callAlmanac(['storage', 'move', '--to', 's3'], { ...environment, ...server.environment });
  assert.deepEqual(
    [empty.code, JSON.parse(empty.stdout)],
    [0, { to: 's3', moved: 0, bytes: 0, skipped: 0, damaged: [] }],
  );
});
