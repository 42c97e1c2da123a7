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

/** Two services: Node's own limit, which is that of files, must not be what ends a request. */
const SECONDS = { requests: { request: 3, upload: 60 }, files: { request: 1, upload: 4 } };
const REQUEST_SECONDS = SECONDS.requests.request;
const UPLOAD_SECONDS = SECONDS.files.upload;
/** Far below that of Node, and far above what a busy machine takes. */
const PATIENCE = 20;

let fixture: TestDatabase;
let api: TestApi;
let fileApi: TestApi;
let port: number;
let filePort: number;
let authorization: string;
let strangers: string;
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
  ({ authorization: strangers } = await withKey(api.identity, viewer.id));
  const workspace = await makeWorkspace(database, owner.id);
  await makeMember(database, workspace.id, viewer.id);
  files = `/api/v1/workspaces/${workspace.id}/csv`;
  // What is loaded and compiled for the first request must not count as slowness of those below.
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
  /** Everything that came, until the service closed the connection. */
  readonly text: string;
  /** When that was, in seconds. */
  readonly closed: number;
}

interface Drip {
  /** What is sent at once. */
  readonly start: string;
  /** What follows, one by one. */
  readonly drops?: readonly string[];
  readonly everyMs?: number;
  /** Of the service; left out: that for requests. */
  readonly to?: number;
}

/** Sends a request drop by drop, and waits for the service to close the connection. */
async function drip({ start, drops = [], everyMs = 200, to = port }: Drip): Promise<Dripped> {
  const socket = connect({ host: '127.0.0.1', port: to });
  const began = performance.now();
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    text += chunk;
  });
  // Being cut off is an end, too.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(start);
  for (const drop of drops) {
    await sleep(everyMs);
    if (socket.destroyed || socket.readableEnded) break;
    socket.write(drop);
  }
  await closed;
  return { text, closed: (performance.now() - began) / 1_000 };
}

const JSON_HEAD = 'Content-Type: application/json\r\n';

function head(method: string, path: string, headers: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
}

/** More than enough, one by one. */
const MANY = Array.from({ length: 100 }, () => 'x');

function answerIn(text: string): { statusCode: number; headers: Record<string, string>; body: string } {
  const [top = '', body = ''] = text.split('\r\n\r\n', 2);
  const [line = '', ...fields] = top.split('\r\n');
  const headers = Object.fromEntries(fields.map((field) => field.split(/: (.*)/, 2)));
  return { statusCode: Number(line.split(' ')[1]), headers, body };
}

/** Checks a refusal for its slowness. @returns its message */
function assertTooSlow(dripped: Dripped, family: 'resource' | 'search' = 'resource'): string {
  const { statusCode, headers, body } = answerIn(dripped.text);
  assert.equal(statusCode, 408, dripped.text);
  assert.equal(headers.connection, 'close');
  return assertFault({ statusCode: 400, headers, body }, 'INVALID_REQUEST', family);
}

/** Timers may be a little early. */
const EARLY = 0.1;

function assertClosedAfter({ closed }: Dripped, seconds: number, most = PATIENCE): void {
  const least = seconds - EARLY;
  assert.ok(closed >= least && closed < most, `closed after ${closed} s, and not between ${least} and ${most}`);
}

describe('a request that comes too slowly is ended', { concurrency: true }, () => {
  for (const family of ['resource', 'search'] as const) {
    for (const [name, drops] of Object.entries({ silent: [], 'drop by drop': MANY })) {
      test(`${family}, ${name}: with its limit in the envelope of its path`, async () => {
        const start = `${head('POST', ECHO_PATHS[family], `${JSON_HEAD}Content-Length: 100\r\n`)}{`;
        const dripped = await drip({ start, drops });
        const message = assertTooSlow(dripped, family);
        assert.equal(message, 'The body of the request did not arrive within 3 seconds.');
        assertClosedAfter(dripped, REQUEST_SECONDS);
      });
    }
  }

  test('its id is the one that the caller sent, and the log has one line of it', async () => {
    const id = '0190163d-8694-739b-aea5-966c26f8ad91';
    const start = head('POST', ECHO_PATHS.resource, `${JSON_HEAD}Content-Length: 9\r\nX-Request-Id: ${id}\r\n`);
    const { text } = await drip({ start });
    assert.equal(answerIn(text).headers['x-request-id'], id);
    const lines = api
      .logged()
      .split('\n')
      .filter((line) => line.includes(id));
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).status),
      [408],
    );
  });

  test('with chunked encoding, too', async () => {
    const start = `${head('POST', ECHO_PATHS.resource, `${JSON_HEAD}Transfer-Encoding: chunked\r\n`)}5\r\n{"nam\r\n`;
    const dripped = await drip({ start, drops: MANY.map(() => '1\r\n \r\n') });
    assertTooSlow(dripped);
    assertClosedAfter(dripped, REQUEST_SECONDS);
  });

  test('its head has the same time', async () => {
    const dripped = await drip({
      start: 'GET /health/live HTTP/1.1\r\nHost: x\r\n',
      drops: MANY.map(() => 'x: x\r\n'),
    });
    assert.equal(assertTooSlow(dripped), 'The head of the request did not arrive within 3 seconds.');
    assertClosedAfter(dripped, REQUEST_SECONDS);
  });

  const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
  for (const [name, [status, path]] of Object.entries({
    'an operation without a body': [408, '/api/v1/guest-sessions'],
    'a page with a form': [408, '/auth/sign-in'],
    // It says in its own words that it could not read the request.
    'the OAuth provider': [400, '/auth/oauth/token'],
  } as const)) {
    test(`${name} does not wait longer either`, async () => {
      const dripped = await drip({ start: head('POST', path, `${FORM}Content-Length: 100\r\n`), drops: MANY });
      assert.equal(answerIn(dripped.text).statusCode, status, dripped.text);
      assertClosedAfter(dripped, REQUEST_SECONDS);
    });
  }

  for (const [name, [status, method, path]] of Object.entries({
    'one that nobody reads': [200, 'GET', '/health/live'],
    'one to an address that is not there': [404, 'POST', '/api/v1/nothing'],
    'one to an address that cannot be read': [400, 'POST', '/api/v1/%ff'],
    'one without a credential': [401, 'POST', '/api/v1/me/api-keys'],
    'an upload without a credential': [401, 'POST', '/api/v1/workspaces/ws_1/csv?name=a'],
  } as const)) {
    test(`${name} is answered at once, and its connection is not held by its body`, async () => {
      const start = head(method, path, `${JSON_HEAD}Content-Length: 100\r\n`);
      const dripped = await drip({ start, drops: MANY });
      assert.equal(answerIn(dripped.text).statusCode, status, dripped.text);
      assert.equal(dripped.text.match(/HTTP\/1\.1 /g)?.length, 1, 'one answer');
      assertClosedAfter(dripped, REQUEST_SECONDS);
    });
  }

  test('a request whose body comes in time is not ended, however long its connection stays open', async () => {
    const body = '{"name":"x"}';
    const start = head('POST', ECHO_PATHS.resource, `${JSON_HEAD}Content-Length: ${body.length}\r\n`) + body;
    const again = `${head('POST', ECHO_PATHS.resource, `${JSON_HEAD}Content-Length: ${body.length}\r\nConnection: close\r\n`)}${body}`;
    const { text } = await drip({ start, drops: [again], everyMs: 3_500 });
    assert.equal(text.match(/HTTP\/1\.1 200 /g)?.length, 2, text);
  });
});

describe('a file has more time', { concurrency: true }, () => {
  const upload = (name: string, length: number, who = authorization) =>
    head(
      'POST',
      `${files}?name=${name}`,
      `Authorization: ${who}\r\nContent-Type: text/csv\r\nContent-Length: ${length}\r\n`,
    );
  const days = Array.from({ length: 6 }, (_, i) => `2024-01-0${i + 1},${i}\n`);
  const table = ['date,value\n', ...days];
  const { length } = table.join('');
  const dripFile = (start: string, drops: readonly string[]) => drip({ start, drops, everyMs: 250, to: filePort });

  /** What is left of an upload, finished or not. */
  const stored = async (name: string) => {
    const { rows } = await sql`SELECT id FROM csv_file WHERE name = ${name}`.execute(fixture.database.query());
    return rows.length;
  };

  test('as long as its bytes keep coming', async () => {
    const start = upload('slow.csv', length).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const dripped = await dripFile(start, table);
    assert.equal(answerIn(dripped.text).statusCode, 201, dripped.text);
    assertClosedAfter(dripped, 1.5);
    assert.equal(await stored('slow.csv'), 1);
  });

  test('a pause ends it, and nothing of it stays', async () => {
    const dripped = await dripFile(upload('pause.csv', length), table.slice(0, 4));
    assert.equal(assertTooSlow(dripped), 'No byte of the file came for one second.');
    assertClosedAfter(dripped, 1.8);
    assert.equal(await stored('pause.csv'), 0);
  });

  test('so does what takes too long in all', async () => {
    const endless = Array.from({ length: 60 }, () => '2024-01-01,1\n');
    const dripped = await dripFile(upload('endless.csv', 10_000), ['date,value\n', ...endless]);
    assert.equal(assertTooSlow(dripped), 'The file did not arrive within 4 seconds.');
    assertClosedAfter(dripped, UPLOAD_SECONDS);
    assert.equal(await stored('endless.csv'), 0);
  });

  test('it is for those who may send files', async () => {
    const dripped = await dripFile(upload('viewer.csv', 1_000, strangers), MANY);
    assert.equal(answerIn(dripped.text).statusCode, 403);
    assertClosedAfter(dripped, SECONDS.files.request, UPLOAD_SECONDS - 0.5);
  });
});
