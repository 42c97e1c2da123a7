import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { test } from 'node:test';
import { testAccount } from '../support/datasets/bigquery-accounts.ts';
import { PROJECT } from '../support/datasets/bigquery-scene.ts';
import { type RequestKind, type ServedTable, startBigqueryServer } from '../support/datasets/bigquery-server.ts';
import { openWarehouseFolder } from '../support/datasets/warehouse-folder.ts';
import { recordOutcome } from '../support/forecasts/completed-forecasts.ts';
import { waitFor } from '../support/forecasts/forecast-service.ts';
import { movableClock } from '../support/identity/identity.ts';
import { openMarketService, type Send } from '../support/market/market-service.ts';

const NOW = '2024-06-01T10:30:00Z';
const MAX_BYTES = 104_857_600;

const TRIPS: ServedTable = {
  dataset: 'new_york',
  table: 'trips',
  fields: [
    { name: 'day', type: 'DATE' },
    { name: 'zone', type: 'STRING' },
    { name: 'trips', type: 'INTEGER' },
  ],
  rows: Array.from({ length: 120 }, (_, i) => [isoDay(i >> 1), 'ab'[i % 2] as string, i]),
};
const WIDE: ServedTable = { ...TRIPS, table: 'wide', bytes: MAX_BYTES + 1 };

function isoDay(day: number): string {
  return new Date(Date.UTC(2024, 2, 1 + day)).toISOString().slice(0, 10);
}

async function openScene(environment: Readonly<Record<string, string>> = {}) {
  await using open = new AsyncDisposableStack();
  const folder = open.use(await openWarehouseFolder());
  await folder.copy(
    'orders.parquet',
    `SELECT TIMESTAMP '2024-01-01' + INTERVAL 5 HOUR * i AS at, i % 10 AS amount, 'r' || i % 2 AS region
     FROM range(700) t(i)`,
  );
  folder.write('rates.csv', `day,rate\n${Array.from({ length: 60 }, (_, i) => `${isoDay(i)},${i / 4}`).join('\n')}\n`);
  const clock = movableClock(NOW);
  const server = open.use(
    await startBigqueryServer({
      account: testAccount(),
      project: PROJECT,
      tables: [TRIPS, WIDE],
      clock: () => clock.now().getTime(),
    }),
  );
  const credentials = folder.write('.credentials/key.json', JSON.stringify(testAccount().file(server.tokenUri)));
  const service = open.use(
    await openMarketService(clock, {
      ALMANAC_WAREHOUSE: folder.root,
      ALMANAC_BIGQUERY_PROJECT: PROJECT,
      ALMANAC_BIGQUERY_CREDENTIALS: credentials,
      ALMANAC_BIGQUERY_URL: server.url,
      ...environment,
    }),
  );
  const { send } = await service.account();
  const kept = open.move();
  return {
    folder,
    server,
    service,
    send,
    /** Returns the kinds of the requests that the server has received since the last call. */
    takeRequests: (): RequestKind[] => server.requests.splice(0).map(({ kind }) => kind),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const ORDERS = {
  type: 'warehouse_table',
  table: 'local.orders',
  time_field: 'at',
  value_field: 'amount',
  aggregate: { function: 'sum', frequency: '1D' },
};
const TRIPS_OF_A = {
  type: 'warehouse_table',
  table: 'bigquery-public-data.new_york.trips',
  time_field: 'day',
  value_field: 'trips',
  filters: [{ field: 'zone', values: ['a'] }],
};

const describe = (send: Send, source: object) => send('POST', '/v1/market-search/describe', { source });
const observe = (send: Send, source: object, more = {}, signal?: AbortSignal) =>
  send('POST', '/v1/market-search/observations', { source, ...more }, signal);
const find = async (send: Send, query: string) => {
  const { body } = await send('POST', '/v1/market-search', { query, types: ['warehouse_table'], limit: 100 });
  return body.results as { readonly title: string; readonly source: Record<string, unknown> }[];
};

test('local tables over HTTP', async (context) => {
  await using scene = await openScene();
  const { folder, service, send, server } = scene;

  await context.test('a search result goes unchanged into describe, observations and a forecast', async () => {
    const found = await find(send, 'orders amount');
    assert.deepEqual(found[0]?.title, 'orders: amount');
    const source = found[0]?.source ?? {};
    assert.deepEqual(source, { ...ORDERS, aggregate: { function: 'mean', frequency: '1D' } });
    const { body: described } = await describe(send, source);
    assert.deepEqual(
      [described.provider, described.frequency, described.rows, described.span],
      ['local', '1D', null, { start: '2024-01-01T00:00:00.000Z', end: '2024-05-25T00:00:00.000Z' }],
    );
    assert.deepEqual(
      described.values.map(({ field }: { field: string }) => field),
      ['amount'],
    );
    assert.deepEqual(described.dimensions, [{ field: 'region', label: 'region', required: false }]);
    const { body } = await observe(send, source);
    assert.equal(body.count, 146);
    assert.ok(body.estimated_bytes > 0 && body.estimated_bytes === described.estimated_bytes);
    const csv = await observe(send, source, { format: 'csv', limit: 2 });
    assert.equal(csv.headers.get('x-estimated-bytes'), String(body.estimated_bytes));
    assert.match(csv.text, /^timestamp,amount\r\n2024-05-24T/);
    const again = await observe(send, source, { snapshot_id: body.snapshot_id });
    assert.deepEqual([again.body.rows, again.body.estimated_bytes], [body.rows, undefined]);
    const other = await observe(
      send,
      { ...ORDERS, filters: [{ field: 'region', values: ['r1'] }] },
      { snapshot_id: body.snapshot_id },
    );
    assert.equal(other.status, 400, 'the snapshot of another source');

    const created = await send('POST', '/v1/ensemble-forecasts', { source, horizon: 3, models: ['ets', 'theta'] });
    assert.equal(created.status, 202, created.text);
    await service.finishJobs();
    const { body: forecast } = await send('GET', `/v1/ensemble-forecasts/${created.body.data.forecast_id}`);
    assert.equal(forecast.data.status, 'completed');
    assert.equal(forecast.data.settings.estimated_bytes, body.estimated_bytes);
    assert.deepEqual(forecast.data.settings.source, source);
    assert.equal(forecast.data.predictions.length, 3);
    assert.equal(forecast.data.slug.startsWith('local-orders-amount-3'), true, forecast.data.slug);
  });

  await context.test('new files are found without a restart', async () => {
    await folder.copy('harvests.parquet', `SELECT 2000 + i AS year, i * 1.5 AS tons FROM range(12) t(i)`);
    service.clock.now();
    const results = await waitFor(
      () => find(send, 'harvests'),
      (found) => {
        (service.clock as ReturnType<typeof movableClock>).advance(6_000);
        return found.length > 0;
      },
    );
    const source = results[0]?.source ?? {};
    assert.deepEqual([source.time_field, source.time_format, source.value_field], ['year', 'year', 'tons']);
    const { body } = await observe(send, source);
    assert.deepEqual(
      [body.frequency, body.rows.at(-1)],
      ['1YE', { timestamp: '2011-12-31T00:00:00.000Z', value: 16.5 }],
    );
  });

  await context.test('refuses what cannot be read, and names it', async () => {
    truncateSync(folder.write('large.csv', `day,x\n${'2024-01-01,1\n'.repeat(30_000)}`), MAX_BYTES + 1);
    const refused: readonly (readonly [object, number, string, RegExp])[] = [
      [{ table: 'local.nothing' }, 404, 'NOT_FOUND', /no table is named "local\.nothing"/],
      [{ table: 'local.Orders' }, 400, 'INVALID_REQUEST', /source\.table: must be local/],
      [{ table: 'local.../etc/passwd' }, 400, 'INVALID_REQUEST', /source\.table: must be local/],
      [{ table: 'my-project.sales.orders' }, 403, 'SOURCE_DENIED', /the project "my-project" is not read/],
      [{ table: '`bigquery-public-data`.x.y; DROP TABLE z' }, 400, 'INVALID_REQUEST', /source\.table/],
      [
        { value_field: 'amonut' },
        400,
        'INVALID_REQUEST',
        /no column "amonut"\. It must be a column with numbers: "amount"/,
      ],
      [{ value_field: 'region' }, 400, 'INVALID_REQUEST', /has the type VARCHAR/],
      [{ time_field: 'amount' }, 400, 'INVALID_REQUEST', /source\.time_format: is required/],
      [{ time_format: 'year' }, 400, 'INVALID_REQUEST', /source\.time_format: is only for integers/],
      [{ filters: [{ field: 'region', values: [] }] }, 400, 'INVALID_REQUEST', /source\.filters\[0\]\.values/],
      [{ filters: [{ field: 'amount', values: ['x'] }] }, 400, 'INVALID_REQUEST', /source\.filters\[0\]\.values\[0\]/],
      [
        { start: '2024-02-01T00:00:00Z', end: '2024-01-01T00:00:00Z' },
        400,
        'INVALID_REQUEST',
        /end: must be after start/,
      ],
      [{ aggregate: undefined }, 422, 'UNPROCESSABLE', /lie in the same|no frequency/],
      [{ table: 'local.large', time_field: 'day', value_field: 'x' }, 422, 'UNPROCESSABLE', /104,857,601 bytes/],
    ];
    for (const [fields, status, error, message] of refused) {
      const reply = await observe(send, { ...ORDERS, ...fields });
      assert.deepEqual([reply.status, reply.body.error], [status, error], reply.text);
      assert.match(reply.body.message, message);
    }
    assert.deepEqual(server.requests, [], 'no name of a table leaves the machine');
  });

  await context.test('equal reads at the same time are one', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => observe(send, ORDERS)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  });

  await context.test('a cutoff in days reads the rows that had ended', async () => {
    const source = { type: 'warehouse_table', table: 'local.rates', time_field: 'day', value_field: 'rate' };
    const created = await send('POST', '/v1/ensemble-forecasts', { source, horizon: 2, models: ['theta'], cutoff: 10 });
    assert.equal(created.status, 202, created.text);
    const { body } = await send('GET', `/v1/ensemble-forecasts/${created.body.data.forecast_id}`);
    assert.equal(body.data.settings.cutoff, '2024-04-20T00:00:00.000Z');
    assert.equal(body.data.snapshot.rows, 50);
  });
});

test('public tables over HTTP', async (context) => {
  await using scene = await openScene();
  const { server, service, send, takeRequests } = scene;

  await context.test('describing sends one request besides the token, and no SQL', async () => {
    const { status, body } = await describe(send, TRIPS_OF_A);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.provider, body.frequency, body.rows, body.span], ['bigquery', '1D', null, null]);
    assert.deepEqual(takeRequests(), ['token', 'table']);
    const found = await waitFor(
      () => find(send, 'new york trips'),
      (results) => {
        (service.clock as ReturnType<typeof movableClock>).advance(6_000);
        return results.length > 0;
      },
    );
    assert.equal(found[0]?.source.table, TRIPS_OF_A.table);
  });

  await context.test('a read sends one dry run and one query with the cap and typed parameters', async () => {
    takeRequests();
    const { status, body, text } = await observe(send, TRIPS_OF_A);
    assert.equal(status, 200, text);
    assert.deepEqual([body.count, body.rows.at(-1)], [60, { timestamp: '2024-04-29T00:00:00.000Z', value: 118 }]);
    const queries = server.requests
      .filter(({ kind }) => kind === 'query')
      .map((request) => request.body as Record<string, unknown>);
    assert.deepEqual(
      takeRequests().filter((kind) => kind !== 'table'),
      ['query', 'query'],
    );
    assert.deepEqual(
      queries.map(({ dryRun, maximumBytesBilled, location }) => [dryRun, maximumBytesBilled, location]),
      [
        [true, undefined, 'US'],
        [undefined, String(MAX_BYTES), 'US'],
      ],
    );
    assert.equal(queries[1]?.query, queries[0]?.query);
    assert.deepEqual(queries[1]?.queryParameters, [
      { name: 'p0', parameterType: { type: 'STRING' }, parameterValue: { value: 'a' } },
    ]);
    assert.ok(!String(queries[1]?.query).includes("'a'"));
  });

  await context.test('an identical read comes from its snapshot for an hour', async () => {
    const first = await observe(send, TRIPS_OF_A);
    const { send: other } = await service.account();
    const again = await observe(
      other,
      { ...TRIPS_OF_A, filters: [{ field: 'zone', values: ['a', 'a'] }] },
      { limit: 5 },
    );
    assert.deepEqual(again.body.rows, first.body.rows.slice(-5));
    assert.equal(again.body.estimated_bytes, first.body.estimated_bytes);
    const created = await send('POST', '/v1/ensemble-forecasts', { source: TRIPS_OF_A, horizon: 2, models: ['theta'] });
    assert.equal(created.status, 202, created.text);
    assert.deepEqual(
      takeRequests().filter((kind) => kind === 'query'),
      [],
    );
    (service.clock as ReturnType<typeof movableClock>).advance(61 * 60_000);
    assert.equal((await observe(send, TRIPS_OF_A)).status, 200);
    assert.deepEqual(
      takeRequests().filter((kind) => kind === 'query'),
      ['query', 'query'],
    );
  });

  await context.test('an estimate over the limit is refused, and no query is sent', async () => {
    const reply = await observe(send, { ...TRIPS_OF_A, table: 'bigquery-public-data.new_york.wide' });
    assert.equal(reply.status, 422, reply.text);
    assert.match(reply.body.message, /would take 104,857,601 bytes, and at most 104,857,600 are allowed/);
    assert.deepEqual(
      takeRequests().filter((kind) => kind === 'query'),
      ['query'],
      'the dry run',
    );
  });

  await context.test('another project is refused, and nothing is sent', async () => {
    for (const table of ['bigquery-public-data-2.a.b', 'other-project.new_york.trips', 'BIGQUERY-PUBLIC-DATA.a.b']) {
      for (const call of [describe, observe]) {
        const reply = await call(send, { ...TRIPS_OF_A, table });
        assert.deepEqual([reply.status, reply.body.error], [403, 'SOURCE_DENIED'], table);
      }
      const created = await send('POST', '/v1/ensemble-forecasts', { source: { ...TRIPS_OF_A, table }, horizon: 2 });
      assert.deepEqual([created.status, created.body.error.code], [403, 'SOURCE_DENIED']);
    }
    assert.deepEqual(takeRequests(), []);
  });

  await context.test('guests cannot read or find public tables', async () => {
    const guest = await service.guest();
    for (const call of [describe, observe]) {
      const reply = await call(guest, TRIPS_OF_A);
      assert.deepEqual([reply.status, reply.body.error], [403, 'ACCOUNT_REQUIRED'], reply.text);
    }
    assert.deepEqual(await find(guest, 'new york trips'), []);
    assert.deepEqual(takeRequests(), []);
  });

  await context.test('a caller that disconnects leaves no job behind', async () => {
    server.isHeld = true;
    const controller = new AbortController();
    const reading = observe(
      send,
      { ...TRIPS_OF_A, filters: [{ field: 'zone', values: ['b'] }] },
      {},
      controller.signal,
    );
    await waitFor(
      async () => server.countRunning(),
      (count) => count === 1,
    );
    controller.abort();
    await assert.rejects(reading);
    await waitFor(
      async () => server.countRunning(),
      (count) => count === 0,
    );
    server.isHeld = false;
    assert.ok(takeRequests().includes('cancel'));
  });

  await context.test('an account reads at most 20 times per hour', async () => {
    const { send: reader } = await service.account();
    const narrowed = (day: number) => ({ ...TRIPS_OF_A, start: `${isoDay(day)}T00:00:00Z` });
    for (let day = 0; day < 20; day++) assert.equal((await observe(reader, narrowed(day))).status, 200);
    takeRequests();
    const over = await observe(reader, narrowed(20));
    assert.deepEqual(
      [over.status, over.body.error, over.headers.get('retry-after')],
      [429, 'RATE_LIMITED', '3600'],
      over.text,
    );
    assert.deepEqual(
      takeRequests().filter((kind) => kind === 'query'),
      [],
      'not even the dry run',
    );
    assert.equal((await observe(reader, narrowed(3))).status, 200, 'an identical read is not counted');
    assert.equal((await observe(send, narrowed(20))).status, 200, 'another account has its own reads');
  });
});

test('the operator can hide the tables of the folder from guests', async () => {
  await using scene = await openScene({ ALMANAC_WAREHOUSE_GUESTS: 'off' });
  const guest = await scene.service.guest();
  const names = async (send: Send) => [...new Set((await find(send, '')).map(({ source }) => source.table))].sort();
  assert.deepEqual(await names(guest), ['local.flights']);
  assert.deepEqual(await names(scene.send), ['local.flights', 'local.orders', 'local.rates']);
  for (const call of [describe, observe]) {
    const reply = await call(guest, ORDERS);
    const missing = await call(guest, { ...ORDERS, table: 'local.nothing' });
    assert.deepEqual([reply.status, reply.body.error], [404, 'NOT_FOUND']);
    assert.equal(reply.body.message, missing.body.message.replace('nothing', 'orders'), 'as if it did not exist');
  }
  const created = await guest('POST', '/v1/ensemble-forecasts', { source: ORDERS, horizon: 2 });
  assert.deepEqual([created.status, created.body.error.code], [404, 'NOT_FOUND']);

  const { body: known } = await observe(scene.send, ORDERS);
  const flights = (await find(guest, 'flights'))[0]?.source ?? {};
  const probed = await observe(guest, flights, { snapshot_id: known.snapshot_id });
  assert.deepEqual([probed.status, probed.text.includes('orders')], [404, false], 'the snapshot of a hidden table');
  const shown = await scene.send('POST', '/v1/ensemble-forecasts', {
    source: ORDERS,
    horizon: 2,
    models: ['theta'],
    visibility: 'public',
  });
  const path = `/v1/ensemble-forecasts/${shown.body.data.forecast_id}`;
  assert.equal((await guest('GET', path)).status, 200, 'the account has published it');
  assert.equal((await guest('POST', `${path}/reproduce`)).status, 404, 'the rows stay hidden');
  assert.equal((await scene.send('POST', `${path}/reproduce`)).status, 202);

  await scene.service.finishJobs();
  const { body: completed } = await scene.send('GET', path);
  const metrics = { count: 1, mae: 7654.25, average_wql: 0.5, coverage: {}, relative_wql: 0.71828 };
  const [first] = completed.data.predictions as { readonly timestamp: string }[];
  const row = { step: 1, timestamp: first?.timestamp ?? '', actual: 8765.4321 };
  await recordOutcome(scene.service.database, shown.body.data.forecast_id, [row], metrics);
  const outcome = await scene.send('GET', `${path}/outcome`);
  assert.equal(outcome.body.data.rows[0].actual, 8765.4321, 'accounts may see the rows of the table');
  const refused = await guest('GET', `${path}/outcome`);
  assert.deepEqual([refused.status, refused.body.error.code], [404, 'NOT_FOUND'], 'the actual rows stay hidden');
  assert.equal((await guest('GET', `${path}/outcome?format=csv`)).status, 404);
  const { slug } = completed.data;
  for (const url of [`/forecasts/${slug}`, `/embed/${slug}`, `/forecasts/${slug}/chart.svg`]) {
    const { status, text } = await scene.service.open(url);
    assert.equal(status, 200, url);
    assert.doesNotMatch(text, /8,?765|7,?654|0\.718|times<\/strong>|>Actual<|>History</, `${url} shows hidden rows`);
  }
  const page = await scene.service.open(`/forecasts/${slug}`);
  assert.match(page.text, /The actual values come from a source that is not public/);

  // A table in two forms and one with two formats cannot be read, which only accounts may learn.
  scene.folder.write('twice.csv', 'at,amount\n2024-01-01,1\n');
  await scene.folder.copy('twice.parquet', 'SELECT 1 AS amount');
  scene.folder.write('mixed/a.csv', 'at,amount\n2024-01-01,1\n');
  await scene.folder.copy('mixed/b.parquet', 'SELECT 1 AS amount');
  for (const name of ['twice', 'mixed']) {
    const source = { ...ORDERS, table: `local.${name}` };
    for (const call of [describe, observe]) {
      const reply = await call(guest, source);
      const missing = await call(guest, { ...ORDERS, table: 'local.nothing' });
      assert.deepEqual([reply.status, reply.body.error], [404, 'NOT_FOUND'], reply.text);
      assert.equal(reply.body.message, missing.body.message.replace('nothing', name));
      const seen = await call(scene.send, source);
      assert.deepEqual([seen.status, seen.body.error], [422, 'UNPROCESSABLE'], seen.text);
    }
    const refused = await guest('POST', '/v1/ensemble-forecasts', { source, horizon: 2 });
    assert.deepEqual([refused.status, refused.body.error.code], [404, 'NOT_FOUND']);
  }
});
