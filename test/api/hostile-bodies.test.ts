import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { readSnapshot } from '../../src/snapshots/index.ts';
import { hostileBodies, inlineBody } from '../support/api/hostile-bodies.ts';
import { listenOnLoopback, send } from '../support/api/http.ts';
import {
  type Caller,
  create,
  dailyPoints,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const MIB = 1024 ** 2;
const JSON_TYPE = { 'content-type': 'application/json' };

describe(`large and hostile bodies [${testedKind}]`, () => {
  let service: ForecastService;
  let port: number;
  before(async () => {
    const environment = { ALMANAC_BODY_MEMORY: String(4 * MIB), ALMANAC_REQUEST_SECONDS: '6' };
    service = await openForecastService(testedKind, { environment });
    port = await listenOnLoopback(service.app);
  });
  after(() => service?.[Symbol.asyncDispose]());

  const post = (path: string, payload: string, headers: Readonly<Record<string, string>>) =>
    service.app.inject({ method: 'POST', url: `/api${path}`, headers: { ...JSON_TYPE, ...headers }, payload });
  const heldBytes = () => service.app.bodies.memory.bytes;
  const untilReleased = () =>
    waitFor(
      async () => heldBytes(),
      (bytes) => bytes === 0,
    );

  test('refuses every hostile body with a message of one line, and holds none of it afterwards', async () => {
    const guest = await service.guest();
    for (const { name, path, body, isAnonymous, statuses } of hostileBodies(190_000)) {
      const response = await post(path, body, isAnonymous ? {} : guest.credentials);
      assert.ok(statuses.includes(response.statusCode), `${name}: ${response.statusCode}`);
      assert.ok(response.body.length < 1_000, name);
      assert.match(response.body, /fields|list items|size limit|source\.points/, name);
      assert.equal(heldBytes(), 0, name);
    }
  });

  test('names the limit of a body and how to send more rows', async () => {
    const { credentials } = await service.guest();
    const refused = await post(FORECASTS, `"${'x'.repeat(4 * MIB)}"`, credentials);
    assert.equal(refused.statusCode, 413);
    assert.match(refused.body, /exceeds the size limit of 4 MiB\. Upload larger data as a CSV file to a workspace/);
    const small = await post('/v1/sessions', `"${'x'.repeat(16 * 1024)}"`, {});
    assert.match(small.body, /exceeds the size limit of 16 KiB\./);
  });

  test('refuses a declared length before a byte of the body arrives', async () => {
    const { credentials } = await service.guest();
    const lines = Object.entries({ ...JSON_TYPE, ...credentials, 'content-length': 5 * MIB, host: 'x' });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(`POST /api${FORECASTS} HTTP/1.1\r\n${head}\r\n`);
    const [answer] = (await new Promise((resolve) => socket.once('data', (chunk) => resolve([chunk])))) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  test('50,000 rows with long decimals fit in either form, and both are the same input', async () => {
    const compact = inlineBody(50_000, true);
    assert.ok(compact.length < 4 * MIB, `${compact.length} bytes`);
    const { timestamps, values } = JSON.parse(compact).source as { timestamps: string[]; values: number[] };
    const points = timestamps.map((timestamp, row) => ({ timestamp, value: values[row] }));
    const caller = await service.account('enterprise');
    const source = { type: 'inline', points };
    const long = JSON.stringify({ ...JSON.parse(compact), source });
    assert.ok(long.length < 4 * MIB, `${long.length} bytes`);
    const key = { 'idempotency-key': 'both-forms' };
    const first = await post(FORECASTS, compact, { ...caller.credentials, ...key });
    assert.equal(first.statusCode, 202, first.body);
    const repeated = await post(FORECASTS, long, { ...caller.credentials, ...key });
    assert.equal(repeated.json().data.forecast_id, first.json().data.forecast_id);
    const second = await post(FORECASTS, long, caller.credentials);
    const [one, other] = await Promise.all([first, second].map((reply) => readForecast(caller, reply.json().data)));
    const [table, otherTable] = await Promise.all(
      [one, other].map(async (forecast) => (await readSnapshot(service.forecasts, forecast?.snapshot.id ?? ''))?.table),
    );
    assert.deepEqual(otherTable, table);
    assert.deepEqual(other?.request, one?.request);
    assert.equal(one?.snapshot.rows, 50_000);
  });

  test('names a row of the compact form that is out of place', async () => {
    const caller = await service.account();
    const points = dailyPoints(20);
    const timestamps = points.map(({ timestamp }) => timestamp);
    const values = points.map(({ value }) => value);
    const refused = await create(caller, {
      source: { type: 'inline', timestamps: [...timestamps, timestamps[3]], values: [...values, 1] },
    });
    assert.equal(refused.status, 400);
    assert.match(refused.body, /source\.timestamps: .*row/i);
  });

  test('refuses rows without a free slot before they are parsed, but finds the forecast of a repeated request', async () => {
    const guest = await service.guest();
    const key = { 'idempotency-key': 'large' };
    const rows = JSON.stringify(inlineRequest({ source: { type: 'inline', points: dailyPoints(2_000) } }));
    const first = await post(FORECASTS, rows, { ...guest.credentials, ...key });
    assert.equal(first.statusCode, 202, first.body);
    const invalid = `${rows.slice(0, -1)} this is not JSON`;
    assert.match((await post(FORECASTS, invalid, guest.credentials)).body, /QUOTA_EXCEEDED/);
    const repeated = await post(FORECASTS, rows, { ...guest.credentials, ...key });
    assert.equal(repeated.json().data.forecast_id, first.json().data.forecast_id);
  });

  test('a caller can send four large bodies at a time, and all callers only as much as fits in memory', async () => {
    const [one, other] = [await service.guest(), await service.guest()];
    const begin = (caller: Caller, bytes: number) => beginBody(port, caller, bytes);
    const open = Array.from({ length: 4 }, () => begin(one, 600_000));
    await waitFor(
      async () => heldBytes(),
      (bytes) => bytes === 2_400_000,
    );
    const fifth = await send(port, largeRequest(one));
    assert.deepEqual([fifth.status, fifth.headers['retry-after']], [429, '1']);
    assert.match(fifth.body.toString(), /at most 4 request bodies over 64 KiB at a time/);
    open.push(begin(other, 600_000), begin(other, 600_000));
    await waitFor(
      async () => heldBytes(),
      (bytes) => bytes === 3_600_000,
    );
    const full = await send(port, largeRequest(other));
    assert.deepEqual([full.status, full.headers['retry-after']], [503, '2']);
    const small = await create(await service.guest());
    assert.equal(small.status, 202, 'a small body is received all the same');
    for (const socket of open) socket.destroy();
    await untilReleased();
    assert.notEqual((await send(port, largeRequest(one))).status, 429, 'the bodies no longer count');
    await untilReleased();
  });

  test('a large body that stops arriving gets 408 and is released', async () => {
    const socket = beginBody(port, await service.guest(), 600_000);
    const answer = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
    assert.match(answer, /^HTTP\/1\.1 408 /);
    assert.match(answer, /more slowly than 32 KiB per second/);
    socket.destroy();
    await untilReleased();
  });

  test('a thread that dies fails only its own request', async () => {
    const guest = await service.guest();
    await post(FORECASTS, inlineBody(20_000).replace('"inline"', '"nothing"'), guest.credentials);
    const { threads } = service.app.bodies;
    const [id] = threads.threadIds;
    assert.ok(id !== undefined);
    const parsing = post(FORECASTS, `[${'[],'.repeat(150_000)}[]]`, guest.credentials);
    // On a fast machine the reply may arrive before the bytes are seen.
    const reply = parsing.then(() => true);
    await waitFor(
      async () => heldBytes() > 0 || (await Promise.race([reply, false])),
      (isSeen) => isSeen,
    );
    await threads.endThreads();
    const lost = await parsing;
    assert.ok([400, 503].includes(lost.statusCode), lost.body);
    assert.equal((await post(FORECASTS, inlineBody(20_000), guest.credentials)).statusCode, 202);
  });
});

async function readForecast({ request }: Caller, { forecast_id }: { forecast_id: string }) {
  const { data } = await request<{ snapshot: { id: string; rows: number }; request: object }>(
    'GET',
    `${FORECASTS}/${forecast_id}`,
  );
  return data;
}

function largeRequest({ credentials }: Caller) {
  const body = JSON.stringify({ filler: 'x'.repeat(600_000) });
  return { method: 'POST', path: `/api${FORECASTS}`, headers: { ...JSON_TYPE, ...credentials }, body };
}

/** Sends the head of a request and some bytes of a longer body. */
function beginBody(port: number, { credentials }: Caller, bytes: number) {
  const headers = { host: 'x', ...JSON_TYPE, ...credentials, 'content-length': 4 * MIB };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined);
  socket.write(`POST /api${FORECASTS} HTTP/1.1\r\n${head.join('')}\r\n`);
  socket.write(Buffer.alloc(bytes, ' '));
  return socket;
}
