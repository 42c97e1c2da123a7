import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamEvent } from '../../src/api/event-stream.ts';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { type HttpResponse, send } from '../support/api/http.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { assertFault } from './assert-fault.ts';
import {
  count,
  open,
  PATH,
  parseFrames,
  type ServedOptions,
  type Source,
  serveStream,
  silence,
  until,
} from './stream-service.ts';

let fixture: TestDatabase;
before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
});
after(() => fixture[Symbol.asyncDispose]());

function serve(source: Source, options?: ServedOptions) {
  return serveStream(fixture.database, source, options);
}

function faultOf({ status, headers, body }: HttpResponse) {
  return { statusCode: status, headers, body: body.toString() };
}

test('sends events as uncompressed frames and ends with the source', async () => {
  await using service = await serve(async function* () {
    yield { id: 1, kind: 'queued', data: { place: 3, note: 'two\nlines\r\nand “more”' } };
    yield { id: 2, kind: 'completed', data: {} };
  });
  const { status, headers, body } = await send(service.port, {
    path: PATH,
    headers: { 'accept-encoding': 'gzip, br' },
  });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-accel-buffering'], 'no');
  assert.equal(headers['content-encoding'], undefined);
  const [retry, first, second, ...others] = parseFrames(body.toString());
  assert.deepEqual(retry, { retry: '2000' });
  assert.deepEqual(
    { ...first, data: JSON.parse(first?.data ?? '') },
    {
      id: '1',
      event: 'queued',
      data: { place: 3, note: 'two\nlines\r\nand “more”' },
    },
  );
  assert.deepEqual(second, { id: '2', event: 'completed', data: '{}' });
  assert.deepEqual(others, []);
});

test('resumes after the last event that the client received', async () => {
  await using service = await serve((_signal, from) => count(from, 50));
  for (const [header, first] of [
    ['0', 1],
    ['17', 18],
    ['49', 50],
  ] as const) {
    const { body } = await send(service.port, { path: PATH, headers: { 'last-event-id': header } });
    const ids = parseFrames(body.toString()).flatMap(({ id }) => (id ? [Number(id)] : []));
    assert.deepEqual(
      ids,
      Array.from({ length: 51 - first }, (_, index) => first + index),
    );
  }
});

test('refuses a Last-Event-ID that is not an event number', async () => {
  await using service = await serve((_signal, from) => count(from, 1));
  for (const id of ['abc', '-1', '1.5', '1e3', '', '2147483648', '99999999999999999999', '0x10', '1, 2']) {
    const answer = await send(service.port, { path: PATH, headers: { 'last-event-id': id } });
    assert.match(assertFault(faultOf(answer), 'INVALID_REQUEST'), /Last-Event-ID/, id);
  }
});

test('sends keep-alives on a silent stream', async () => {
  await using service = await serve(silence, { keepAliveMs: 20 });
  const { text, response } = await open(service.port);
  await until(() => text().split(': keep-alive\n\n').length > 4);
  response.destroy();
});

/** Yields a hundred events every few milliseconds until the signal aborts. */
async function* bursts(signal: AbortSignal): AsyncGenerator<StreamEvent> {
  for (let id = 1; !signal.aborted; id++) {
    if (id % 100 === 0) await sleep(5);
    yield { id, kind: 'progress', data: {} };
  }
}

for (const [name, source] of Object.entries({ silence, bursts })) {
  test(`ends when the caller loses access: ${name}`, async () => {
    let checks = 0;
    const canContinue = async () => ++checks < 3;
    await using service = await serve(source, { keepAliveMs: 50, canContinue });
    const { text, ended, response } = await open(service.port);
    await ended;
    assert.equal(checks, 3);
    assert.equal(response.complete, true, 'the body ended properly');
    const frames = parseFrames(text());
    assert.ok(frames.every(({ event }) => event !== 'error'));
    // Access is checked once in each interval, not with each event.
    if (name === 'silence') assert.equal(frames.filter(({ comment }) => comment === 'keep-alive').length, checks - 1);
    else assert.ok(frames.length > 20, `${frames.length} frames`);
  });
}

test('ends when the access check fails', async () => {
  const canContinue = async () => {
    throw new Error('the database is away');
  };
  await using service = await serve(silence, { keepAliveMs: 20, canContinue });
  const body = String((await send(service.port, { path: PATH })).body);
  assert.equal(parseFrames(body).at(-1)?.event, 'error');
  assert.match(service.logged(), /the database is away/);
});

test('ends the source when the client disconnects', async () => {
  let ended = 0;
  await using service = await serve(async function* (signal) {
    try {
      yield { id: 1, kind: 'queued', data: {} };
      yield* silence(signal);
    } finally {
      ended++;
    }
  });
  const { response, text } = await open(service.port);
  await until(() => text().includes('queued'));
  assert.equal(ended, 0);
  response.destroy();
  await until(() => ended === 1);
});

test('does not wait for a source that ignores its signal', async () => {
  await using service = await serve(async function* () {
    await new Promise(() => {});
    yield { id: 1, kind: 'never', data: {} };
  });
  const { text, ended } = await open(service.port);
  await until(() => text().includes('retry'));
  await service.close();
  await ended;
});

test('stopping the service ends all streams immediately and cleanly', async () => {
  const service = await serve(async function* (signal) {
    yield { id: 1, kind: 'queued', data: {} };
    yield* silence(signal);
  });
  const streams = await Promise.all([open(service.port), open(service.port), open(service.port)]);
  for (const { text } of streams) await until(() => text().includes('queued'));
  await service.close();
  for (const { text, ended, response } of streams) {
    await ended;
    assert.equal(response.complete, true, 'the body ended properly');
    assert.equal(parseFrames(text()).length, 2);
  }
});

test('a slow reader costs little memory and does not delay a stop', async () => {
  let produced = 0;
  const service = await serve(async function* () {
    for await (const event of count(0, 10_000, 'x'.repeat(10_000))) {
      produced++;
      yield event;
    }
  });
  const socket = connect({ host: '127.0.0.1', port: service.port });
  socket.on('error', () => {});
  socket.pause();
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: almanac\r\n\r\n`);
  await until(() => produced > 0);
  let before = -1;
  while (before !== produced) {
    before = produced;
    await sleep(100);
  }
  const raw = service.replies[0]?.raw;
  assert.ok(raw);
  assert.ok(raw.writableLength < 500_000, `${raw.writableLength} bytes are buffered in the service`);
  // The kernels on both sides buffer some of the hundred megabytes.
  assert.ok(produced < 5_000, `${produced} of 10,000 events were produced without a reader`);
  await service.close();
  socket.destroy();
});

test('a slow reader gets every event', async () => {
  await using service = await serve(() => count(0, 10_000, 'x'.repeat(1_000)));
  const { response, text, ended } = await open(service.port);
  response.pause();
  await sleep(200);
  response.resume();
  await ended;
  const ids = parseFrames(text()).flatMap(({ id }) => (id ? [Number(id)] : []));
  assert.deepEqual(
    ids,
    Array.from({ length: 10_000 }, (_, index) => index + 1),
  );
});

for (const [name, broken] of [
  ['throws', { id: 2, kind: 'x', data: null }],
  ['names an event over two lines', { id: 2, kind: 'x\ndata: forged', data: {} }],
  ['numbers an event over two lines', { id: '2\rdata: forged', kind: 'x', data: {} }],
] as const) {
  test(`a source that ${name} ends the stream with a generic error and logs the details`, async () => {
    await using service = await serve(async function* () {
      yield { id: 1, kind: 'queued', data: {} };
      if (broken.data === null) throw new Error('secret detail');
      yield broken;
    });
    const body = String((await send(service.port, { path: PATH })).body);
    const last = parseFrames(body).at(-1);
    assert.equal(last?.event, 'error');
    assert.equal(last?.id, undefined);
    assert.equal(JSON.parse(last?.data ?? '').code, 'INTERNAL');
    assert.doesNotMatch(body, /secret|forged/);
    assert.match(service.logged(), /event stream failed/);
  });
}

test('a source that fails before its first event ends the stream with the same error', async () => {
  await using service = await serve(() => {
    throw new Error('failed at the start');
  });
  const body = String((await send(service.port, { path: PATH })).body);
  assert.deepEqual(
    parseFrames(body).map(({ event }) => event),
    [undefined, 'error'],
  );
});

test('refuses an eleventh stream of a caller until one is closed', async () => {
  await using service = await serve(silence);
  const streams = await Promise.all(Array.from({ length: 10 }, () => open(service.port)));
  const refused = await send(service.port, { path: PATH });
  assert.match(assertFault(faultOf(refused), 'RATE_LIMITED'), /10 open event streams/);
  streams[0]?.response.destroy();
  await until(async () => (await open(service.port)).response.statusCode === 200);
  assertFault(faultOf(await send(service.port, { path: PATH })), 'RATE_LIMITED');
});

test('counts no stream for a client that disconnected before the response', async () => {
  await using service = await serve(silence, { beforeAnswer: () => sleep(50) });
  for (let time = 0; time < 10; time++) {
    const socket = connect({ host: '127.0.0.1', port: service.port });
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: almanac\r\n\r\n`, () => setTimeout(() => socket.destroy(), 10));
  }
  await until(() => service.replies.length === 10);
  await until(async () => (await open(service.port)).response.statusCode === 200);
});
