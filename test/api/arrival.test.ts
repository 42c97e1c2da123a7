import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { listenOnLoopback } from '../support/api/http.ts';
import { makeAccount, withKey } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';
import { assertFault } from './assert-fault.ts';
import { addEchoRoutes, ECHO_PATHS } from './test-routes.ts';

/** Two services with different limits. Node's own limit follows that for uploads and must not end a request first. */
const SECONDS = { requests: { request: 3, upload: 60 }, files: { request: 1, upload: 4 } };
/** Below Node's own limit of 63 s, so that a test fails if only Node ends its request. Ample on a busy machine. */
const TIMEOUT_MS = 30_000;

let fixture: TestDatabase;
let api: TestApi;
let fileApi: TestApi;
let port: number;
let filePort: number;
let authorization: string;
let viewerAuthorization: string;
let files: string;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { database } = fixture;
  const open = ({ request, upload }: { request: number; upload: number }) => {
    const times = { ALMANAC_REQUEST_SECONDS: String(request), ALMANAC_UPLOAD_SECONDS: String(upload) };
    return openApi(database, { ...times, ALMANAC_RATE_ANONYMOUS: '10000' }, addEchoRoutes);
  };
  api = await open(SECONDS.requests);
  fileApi = await open(SECONDS.files);
  port = await listenOnLoopback(api.app);
  filePort = await listenOnLoopback(fileApi.app);
  const [owner, viewer] = [await makeAccount(api.identity), await makeAccount(api.identity)];
  ({ authorization } = await withKey(api.identity, owner.id));
  ({ authorization: viewerAuthorization } = await withKey(api.identity, viewer.id));
  const workspace = await makeWorkspace(database, owner.id);
  await makeMember(database, workspace.id, viewer.id);
  files = `/api/v1/workspaces/${workspace.id}/csv`;
  // Loads all modules now, so that the first requests of the tests do not have to.
  for (const url of ['/api/v1/nothing', '/api/v1/me/api-keys', '/auth/sign-in', '/auth/oauth/token', files]) {
    for (const { app } of [api, fileApi]) await app.inject({ method: 'POST', url, headers: { authorization } });
  }
});
after(async () => {
  await api?.app.close();
  await fileApi?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

interface Dripped {
  /** Everything that arrived until the service closed the connection. */
  readonly text: string;
}

interface Drip {
  /** The bytes that are sent first. */
  readonly start: string;
  /** The pieces that follow one by one. */
  readonly drops?: readonly string[];
  readonly everyMs?: number;
  /** The port of the service. Default: the service for requests. */
  readonly to?: number;
}

/** Sends a request piece by piece and waits until the service closes the connection. */
async function drip({ start, drops = [], everyMs = 200, to = port }: Drip): Promise<Dripped> {
  const socket = connect({ host: '127.0.0.1', port: to });
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    text += chunk;
  });
  // A reset of the connection also counts as closed.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(start);
  for (const drop of drops) {
    await sleep(everyMs);
    if (socket.destroyed || socket.readableEnded) break;
    socket.write(drop);
  }
  await closed;
  return { text };
}

const JSON_HEAD = 'Content-Type: application/json\r\n';

function head(method: string, path: string, headers: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
}

/** More pieces than a test needs. */
const MANY = Array.from({ length: 100 }, () => 'x');

function parseResponse(text: string): { statusCode: number; headers: Record<string, string>; body: string } {
  const [top = '', body = ''] = text.split('\r\n\r\n', 2);
  const [line = '', ...fields] = top.split('\r\n');
  const headers = Object.fromEntries(fields.map((field) => field.split(/: (.*)/, 2)));
  return { statusCode: Number(line.split(' ')[1]), headers, body };
}

/** Checks that a request was refused as too slow. @returns the message */
function assertTooSlow(dripped: Dripped, family: 'resource' | 'search' = 'resource'): string {
  const { statusCode, headers, body } = parseResponse(dripped.text);
  assert.equal(statusCode, 408, dripped.text);
  assert.equal(headers.connection, 'close');
  return assertFault({ statusCode: 400, headers, body }, 'INVALID_REQUEST', family);
}

describe('the time limit for a request', { concurrency: true, timeout: TIMEOUT_MS }, () => {
  for (const family of ['resource', 'search'] as const) {
    for (const [name, drops] of Object.entries({ 'a silent client': [], 'a slow client': MANY })) {
      test(`${family}: names the limit to ${name}`, async () => {
        const start = `${head('POST', ECHO_PATHS[family], `${JSON_HEAD}Content-Length: 100\r\n`)}{`;
        const dripped = await drip({ start, drops });
        const message = assertTooSlow(dripped, family);
        assert.equal(message, 'The request body did not arrive within 3 seconds.');
      });
    }
  }

  test('keeps the caller’s request id and writes one log line', async () => {
    const id = '0190163d-8694-739b-aea5-966c26f8ad91';
    const start = head('POST', ECHO_PATHS.resource, `${JSON_HEAD}Content-Length: 9\r\nX-Request-Id: ${id}\r\n`);
    const { text } = await drip({ start });
    assert.equal(parseResponse(text).headers['x-request-id'], id);
    const lines = api
      .logged()
      .split('\n')
      .filter((line) => line.includes(id));
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).status),
      [408],
    );
  });

  test('applies to chunked bodies', async () => {
    const start = `${head('POST', ECHO_PATHS.resource, `${JSON_HEAD}Transfer-Encoding: chunked\r\n`)}5\r\n{"nam\r\n`;
    const dripped = await drip({ start, drops: MANY.map(() => '1\r\n \r\n') });
    assertTooSlow(dripped);
  });

  test('applies to the head of a request', async () => {
    const dripped = await drip({
      start: 'GET /health/live HTTP/1.1\r\nHost: x\r\n',
      drops: MANY.map(() => 'x: x\r\n'),
    });
    assert.equal(assertTooSlow(dripped), 'The request headers did not arrive within 3 seconds.');
  });

  const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
  for (const [name, [status, path]] of Object.entries({
    'an operation without a body': [408, '/api/v1/guest-sessions'],
    'a page with a form': [408, '/auth/sign-in'],
    // The provider reports in its own format that it could not read the request.
    'the OAuth provider': [400, '/auth/oauth/token'],
  } as const)) {
    test(`applies to ${name}`, async () => {
      const dripped = await drip({ start: head('POST', path, `${FORM}Content-Length: 100\r\n`), drops: MANY });
      assert.equal(parseResponse(dripped.text).statusCode, status, dripped.text);
    });
  }

  for (const [name, [status, method, path]] of Object.entries({
    'a request whose body is not read': [200, 'GET', '/health/live'],
    'a request to an unknown address': [404, 'POST', '/api/v1/nothing'],
    'a request with an undecodable URL': [400, 'POST', '/api/v1/%ff'],
    'a request without a credential': [401, 'POST', '/api/v1/me/api-keys'],
    'an upload without a credential': [401, 'POST', '/api/v1/workspaces/ws_1/csv?name=a'],
  } as const)) {
    test(`answers ${name} immediately and does not keep its connection open for the body`, async () => {
      const start = head(method, path, `${JSON_HEAD}Content-Length: 100\r\n`);
      const dripped = await drip({ start, drops: MANY });
      assert.equal(parseResponse(dripped.text).statusCode, status, dripped.text);
      assert.equal(dripped.text.match(/HTTP\/1\.1 /g)?.length, 1, 'one response');
    });
  }

  test('does not end a connection whose bodies arrive in time', async () => {
    const body = '{"name":"x"}';
    const start = head('POST', ECHO_PATHS.resource, `${JSON_HEAD}Content-Length: ${body.length}\r\n`) + body;
    const again = `${head('POST', ECHO_PATHS.resource, `${JSON_HEAD}Content-Length: ${body.length}\r\nConnection: close\r\n`)}${body}`;
    const { text } = await drip({ start, drops: [again], everyMs: 3_500 });
    assert.equal(text.match(/HTTP\/1\.1 200 /g)?.length, 2, text);
  });
});

describe('the time limit for an upload', { concurrency: true, timeout: TIMEOUT_MS }, () => {
  const upload = (name: string, length: number, credential = authorization) =>
    head(
      'POST',
      `${files}?name=${name}`,
      `Authorization: ${credential}\r\nContent-Type: text/csv\r\nContent-Length: ${length}\r\n`,
    );
  const days = Array.from({ length: 6 }, (_, i) => `2024-01-0${i + 1},${i}\n`);
  const table = ['date,value\n', ...days];
  const { length } = table.join('');
  const dripFile = (start: string, drops: readonly string[]) => drip({ start, drops, everyMs: 250, to: filePort });

  /** Returns the number of stored files, finished or not. */
  const stored = async (name: string) => {
    const { rows } = await sql`SELECT id FROM csv_file WHERE name = ${name}`.execute(fixture.database.query());
    return rows.length;
  };

  test('continues while bytes keep arriving', async () => {
    const start = upload('slow.csv', length).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const dripped = await dripFile(start, table);
    assert.equal(parseResponse(dripped.text).statusCode, 201, dripped.text);
    assert.equal(await stored('slow.csv'), 1);
  });

  test('ends after a pause, and nothing is stored', async () => {
    const dripped = await dripFile(upload('pause.csv', length), table.slice(0, 4));
    assert.equal(assertTooSlow(dripped), 'The upload stopped: no data arrived for one second.');
    assert.equal(await stored('pause.csv'), 0);
  });

  test('ends when it takes too long in total', async () => {
    const endless = Array.from({ length: 60 }, () => '2024-01-01,1\n');
    const dripped = await dripFile(upload('endless.csv', 10_000), ['date,value\n', ...endless]);
    assert.equal(assertTooSlow(dripped), 'The file did not arrive within 4 seconds.');
    assert.equal(await stored('endless.csv'), 0);
  });

  test('applies the time limit for uploads only to callers that may upload', async () => {
    // On the service whose limit for uploads is longer than the timeout of this test.
    const dripped = await drip({ start: upload('viewer.csv', 1_000, viewerAuthorization), drops: MANY });
    assert.equal(parseResponse(dripped.text).statusCode, 403);
  });
});
