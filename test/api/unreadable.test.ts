import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { listenOnLoopback, sendBytes } from '../support/api/http.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { assertFault } from './assert-fault.ts';

let fixture: TestDatabase;
let api: TestApi;
let port: number;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database);
  port = await listenOnLoopback(api.app);
});
after(async () => {
  await api.app.close();
  await fixture[Symbol.asyncDispose]();
});

/** Checks one raw response: status line, common headers and general envelope. */
function assertUnreadable(text: string, status: number): void {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [statusLine = '', ...rest] = head.split('\r\n');
  assert.match(statusLine, new RegExp(`^HTTP/1\\.1 ${status} `), text);
  const headers = Object.fromEntries(
    rest.map((line) => line.split(/: (.*)/, 2).map((part, index) => (index ? part : part.toLowerCase()))),
  );
  assert.equal(headers['content-length'], String(Buffer.byteLength(body, 'latin1')));
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assertFault({ statusCode: 400, headers, body }, 'INVALID_REQUEST');
}

test('responds to bytes that are not HTTP in the general envelope and closes the connection', async () => {
  for (const bytes of [
    'nonsense\r\n\r\n',
    'GET /api\r\n\r\n',
    'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    'get / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /api/v1/\xff HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nX: a\x01b\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
    'POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc',
  ]) {
    assertUnreadable(await sendBytes(port, bytes, { end: bytes.endsWith('abc') }), 400);
  }
});

test('headers that are too large get 431', async () => {
  assertUnreadable(await sendBytes(port, `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`), 431);
  assertUnreadable(await sendBytes(port, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`), 431);
});

test('refuses a request without Host in the general envelope, except for HTTP/1.0', async () => {
  const answer = await sendBytes(port, 'GET /api/v1/me/access HTTP/1.1\r\nConnection: close\r\n\r\n');
  assertUnreadable(answer, 400);
  assert.match(answer, /Host header/);
  assert.match(await sendBytes(port, 'GET /health/live HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
});

test('ignores an unknown expectation and meets a known one', async () => {
  const unknown = await sendBytes(
    port,
    'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
  );
  assert.match(unknown, /^HTTP\/1\.1 200 /);
  const known = await sendBytes(
    port,
    'POST /api/v1/guest-sessions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
  );
  assert.match(known, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
});

test('an invalid second request does not affect the response to the first', async () => {
  const first = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  socket.write(first);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.write('nonsense\r\n\r\n');
  await new Promise((resolve) => socket.once('end', resolve));
  socket.destroy();
  assert.match(Buffer.concat(received).toString(), /^HTTP\/1\.1 200 [\s\S]*\{"status":"live"\}HTTP\/1\.1 400 /);
});

test('a client that never closes its side does not keep the connection open or delay the shutdown', async () => {
  const { app } = await openApi(fixture.database);
  const ownPort = await listenOnLoopback(app);
  const halfOpen: Socket[] = [];
  for (const bytes of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]) {
    const socket = connect({ port: ownPort, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    socket.resume();
    halfOpen.push(socket.setNoDelay());
    socket.write(bytes);
    await new Promise((resolve) => socket.once('end', resolve));
  }
  // If the shutdown waited for the clients, the test would time out.
  await app.close();
  for (const socket of halfOpen) socket.destroy();
});
