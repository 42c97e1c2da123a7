import assert from 'node:assert/strict';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { MAX_CSV_BYTES } from '../../src/contract/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { listenOnLoopback, send } from '../support/api/http.ts';
import { waitFor } from '../support/forecasts/forecast-service.ts';
import { makeAccount, withKey, withSession } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import { DAILY_CSV } from '../support/workspaces/csv-files.ts';
import { personalWorkspace } from '../support/workspaces/workspaces.ts';
import { generateFile } from './csv-generated.ts';
import { readByReference } from './csv-reference.ts';

let fixture: TestDatabase;
let api: TestApi;
let port: number;
let path: string;
let credentials: Readonly<Record<string, string>>;
let email: string;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, { ALMANAC_BODY_LIMIT: '65536' });
  const account = await makeAccount(api.identity);
  email = account.email;
  credentials = await withKey(api.identity, account.id);
  path = `/api/v1/workspaces/${(await personalWorkspace(fixture.database, account.id)).slug}/csv`;
  port = await listenOnLoopback(api.app);
});

after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

async function countRows(): Promise<unknown> {
  const { rows } = await sql`
    SELECT (SELECT count(*) FROM csv_file) AS files, (SELECT count(*) FROM csv_chunk) AS chunks
  `.execute(fixture.database.query());
  return rows[0];
}

const upload = (body: Buffer | string | readonly Buffer[], headers: Record<string, string> = {}) =>
  send(port, {
    method: 'POST',
    path: `${path}?name=x.csv`,
    headers: {
      ...credentials,
      'content-type': 'text/csv',
      ...(Array.isArray(body) ? {} : { 'content-length': Buffer.byteLength(body as Buffer) }),
      ...headers,
    },
    body,
  });

const readError = (body: Buffer) => JSON.parse(String(body)).error;

test('accepts a file larger than other bodies, with and without a length', async () => {
  const file = `${DAILY_CSV}${'# filling,1,x\n'.repeat(10_000)}`;
  for (const body of [file, [Buffer.from(file.slice(0, 50)), Buffer.from(file.slice(50))]]) {
    const { status, body: answer } = await upload(body);
    assert.equal(status, 201, String(answer).slice(0, 200));
    assert.equal(JSON.parse(String(answer)).data.rows, 10_040);
  }
  const elsewhere = await send(port, {
    method: 'POST',
    path: '/api/v1/ensemble-forecasts',
    headers: { ...credentials, 'content-type': 'application/json' },
    body: Buffer.alloc(70_000, ' '),
  });
  assert.equal(elsewhere.status, 413, 'other operations keep their limit');
});

test('reads a file as its media type declares', async () => {
  const { body } = await upload(Buffer.from('caf\xe9,1\nth\xe9,2\n', 'latin1'), {
    'content-type': 'text/csv; charset=iso-8859-1; header=absent',
  });
  const { data } = JSON.parse(String(body));
  assert.partialDeepStrictEqual(data, { encoding: 'windows-1252', header: 'absent', rows: 2 });
  assert.deepEqual(data.columns[0].examples, ['café', 'thé']);
  const months = 'month,v;w\n01/01/2022,1;2\n02/01/2022,3;4\n03/01/2022,5;6\n';
  const answers = await Promise.all(
    ['text/csv', 'text/csv; dates=day_first; delimiter=comma', 'text/csv; delimiter=comma; dates=month_first'].map(
      async (type) => JSON.parse(String((await upload(months, { 'content-type': type })).body)).data,
    ),
  );
  assert.deepEqual(
    answers.map(({ columns, frequency }) => [columns[0].type, columns[0].format, frequency]),
    [
      ['text', null, null],
      ['timestamp', 'day_first', '1D'],
      ['timestamp', 'month_first', '1MS'],
    ],
  );
});

test('refuses an upload by its headers', async () => {
  const before = await countRows();
  const tooLong = await upload('a,b\n', { 'content-length': String(100 * 1024 ** 2) });
  assert.equal(tooLong.status, 413);
  assert.equal(readError(tooLong.body).code, 'TOO_LARGE');
  for (const headers of [
    { 'content-type': 'application/json' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'text/csv; charset=nonsense' },
    { 'content-encoding': 'gzip' },
  ]) {
    const { status, body } = await upload('a,b\n1,2\n', headers);
    assert.deepEqual([status, readError(body).code], [415, 'UNSUPPORTED_MEDIA_TYPE'], JSON.stringify(headers));
  }
  for (const [parameter, choices] of [
    ['dates=iso', 'dates: must be one of day_first, month_first.'],
    ['delimiter=;', 'delimiter: must be one of comma, semicolon, tab, pipe.'],
  ] as const) {
    const { status, body } = await upload('a,b\n1,2\n', { 'content-type': `text/csv; ${parameter}` });
    assert.deepEqual([status, readError(body).code, readError(body).message], [400, 'INVALID_REQUEST', choices]);
  }
  for (const query of ['', '?name=', `?name=${'x'.repeat(201)}`, '?name=a&header=absent']) {
    const { status, body } = await send(port, {
      method: 'POST',
      path: path + query,
      headers: { ...credentials, 'content-type': 'text/csv' },
      body: 'a,b\n1,2\n',
    });
    assert.deepEqual([status, readError(body).code], [400, 'INVALID_REQUEST'], query);
  }
  assert.deepEqual(await countRows(), before);
});

test('refuses an upload from another site with a session cookie', async () => {
  const session = await withSession(api.identity, email);
  const answer = await api.app.inject({
    method: 'POST',
    url: `${path}?name=x`,
    headers: { ...session, 'content-type': 'text/csv', origin: 'https://evil.example' },
    payload: 'a,b\n1,2\n',
  });
  assert.deepEqual([answer.statusCode, answer.json().error.code], [403, 'ORIGIN_DENIED']);
});

test('reports a mistake on an early line while the client is still sending', async () => {
  const before = await countRows();
  const rest = Buffer.alloc(8 * 1024 ** 2, '1,2\n');
  const { status, body } = await upload([Buffer.from('a,b\n1\n'), rest]);
  assert.equal(status, 400);
  assert.equal(readError(body).message, 'line 2: there is 1 cell, but the first line has 2.');
  assert.deepEqual(await countRows(), before);
});

test('refuses a body beyond the limit without a declared length, and stores nothing', {
  timeout: 60_000,
}, async () => {
  const before = await countRows();
  const row = Buffer.from(`${'x'.repeat(9_990)},1\n`);
  const piece = Buffer.concat(Array.from({ length: 100 }, () => row));
  let sent = 0;
  const body = new Readable({
    read() {
      sent += piece.length;
      // Twice the limit.
      this.push(sent > 2 * MAX_CSV_BYTES ? null : piece);
    },
  });
  body.push('text,n\n');
  const answer = await api.app.inject({
    method: 'POST',
    url: `${path}?name=x`,
    headers: { ...credentials, 'content-type': 'text/csv' },
    payload: body,
  });
  assert.deepEqual([answer.statusCode, answer.json().error.code], [413, 'TOO_LARGE'], answer.body);
  assert.deepEqual(await countRows(), before);
});

test('stores nothing when the client disconnects during an upload', async () => {
  const before = await countRows();
  const outgoing = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: `${path}?name=x`,
    headers: { ...credentials, 'content-type': 'text/csv', 'content-length': 40 * 1024 ** 2 },
  });
  outgoing.on('error', () => undefined);
  outgoing.write(`a,b\n${'1,2\n'.repeat(600_000)}`);
  await waitFor(countRows, (now) => JSON.stringify(now) !== JSON.stringify(before));
  outgoing.destroy();
  await waitFor(countRows, (now) => JSON.stringify(now) === JSON.stringify(before), 20_000);
});

test('returns the uploaded rows, and a download that reads as the same rows', async () => {
  const withoutGuard = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r\n])/, '');
  for (let seed = 1; seed <= 15; seed++) {
    const file = generateFile(createSeededRandom(seed));
    const { status, body } = await upload(file.bytes);
    assert.equal(status, 201, String(body));
    const { id } = JSON.parse(String(body)).data;
    const page = await send(port, { path: `${path}/${id}?limit=1000`, headers: credentials });
    assert.deepEqual(JSON.parse(String(page.body)).data.page, file.rows, `seed ${seed}`);
    const download = await send(port, { path: `${path}/${id}/download`, headers: credentials });
    const again = readByReference(download.body, { detectDelimiter: () => ',', isHeader: () => true });
    assert.ok('rows' in again, `seed ${seed}`);
    assert.deepEqual(
      again.rows.map(({ cells }) => cells.map(withoutGuard)),
      file.rows,
      `seed ${seed}`,
    );
  }
});

test('downloads a file without formulas, under a safe file name', async () => {
  const hostile = ['=1+1', '+1', '-1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '＝1', '"\r\nx: y"', 'plain, "quoted"'];
  const cells = hostile.map((cell) => `"${cell.replaceAll('"', '""')}"`);
  const { body } = await send(port, {
    method: 'POST',
    path: `${path}?name=${encodeURIComponent('../"x"; Übersicht: a=b.csv ')}`,
    headers: { ...credentials, 'content-type': 'text/csv' },
    body: `"=name",b\n${cells.map((cell) => `${cell},1`).join('\n')}\n`,
  });
  const { id } = JSON.parse(String(body)).data;
  const file = await send(port, { path: `${path}/${id}/download`, headers: credentials });
  assert.equal(file.status, 200);
  assert.equal(file.headers['content-type'], 'text/csv; charset=utf-8; header=present');
  assert.equal(
    file.headers['content-disposition'],
    `attachment; filename="x-bersicht-a-b.csv"; filename*=UTF-8''__x_%3B%20%C3%9Cbersicht_%20a%3Db.csv`,
  );
  assert.deepEqual(String(file.body).split(',1\r\n').slice(0, 8), [
    "'=name,b\r\n'=1+1",
    '+1',
    '-1',
    "'+cmd",
    "'-cmd",
    "'@SUM(A1)",
    "'\tx",
    "'＝1",
  ]);
  const head = await send(port, { method: 'HEAD', path: `${path}/${id}/download`, headers: credentials });
  assert.deepEqual([head.status, head.body.length], [200, 0]);
});
