import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { type KeyHolder, makeMember, makeWorkspace, register, WORKSPACES } from '../support/workspaces/workspaces.ts';

let fixture: TestDatabase;
let api: TestApi;
let owner: KeyHolder;
let member: KeyHolder;
let path: string;
let file: string;

const CSV = [
  'Sales',
  'day;value;word',
  ';EUR;',
  ...Array.from({ length: 30 }, (_, day) => `${String(day + 1).padStart(2, '0')}.01.2024;${day},5;x`),
  'Total;450,0;',
  '',
].join('\n');

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database);
  owner = await register(api);
  member = await register(api);
  const workspace = await makeWorkspace(fixture.database, owner.id);
  path = `${WORKSPACES}/${workspace.slug}/csv`;
  file = await upload('sales.csv');
  await makeMember(fixture.database, workspace.id, member.id, { csv_scope_mode: 'selected', csv_scope_ids: [file] });
});
after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

async function upload(name: string): Promise<string> {
  const { statusCode, body } = await api.app.inject({
    method: 'POST',
    url: `/api${path}?name=${name}`,
    headers: { ...owner.credentials, 'content-type': 'text/csv' },
    payload: CSV,
  });
  assert.equal(statusCode, 201, body);
  return JSON.parse(body).data.id;
}

interface Series {
  readonly frequency: string;
  readonly count: number;
  readonly span: { readonly start: string; readonly end: string };
  readonly rows: readonly { readonly timestamp: string; readonly value: number }[];
}

interface FilePage {
  readonly rows: number;
  readonly lines: number[];
  readonly skipped: { readonly line: number; readonly kind: string; readonly text: string }[];
}

test('a file returns the series of two columns, without the lines that are not rows', async () => {
  const { data } = await owner.request<Series>(
    'GET',
    `${path}/${file}/series?time_field=day&value_field=value&limit=2`,
  );
  assert.deepEqual(
    [data.frequency, data.count, data.span],
    ['1D', 30, { start: '2024-01-01T00:00:00.000Z', end: '2024-01-30T00:00:00.000Z' }],
  );
  assert.deepEqual(data.rows, [
    { timestamp: '2024-01-29T00:00:00.000Z', value: 28.5 },
    { timestamp: '2024-01-30T00:00:00.000Z', value: 29.5 },
  ]);
  const described = await owner.request<FilePage>('GET', `${path}/${file}?limit=1`);
  assert.deepEqual(
    described.data.skipped.map(({ line, kind, text }) => [line, kind, text]),
    [
      [1, 'title', 'Sales'],
      [3, 'units', ';EUR;'],
      [34, 'footer', 'Total;450,0;'],
    ],
  );
  assert.deepEqual([described.data.rows, described.data.lines], [30, [4]]);
});

test('a page of rows can begin at a line', async () => {
  const lines = async (query: string) => {
    const { data } = await owner.request<FilePage>('GET', `${path}/${file}?${query}`);
    return data.lines;
  };
  assert.deepEqual(await lines('line=1&limit=2'), [4, 5]);
  assert.deepEqual(await lines('line=20&limit=2'), [20, 21]);
  assert.deepEqual(await lines('line=33&limit=2'), [33]);
  assert.deepEqual(await lines('line=34'), []);
});

test('refuses columns and parameters that make no series, and names them', async () => {
  const cases: [string, number, RegExp][] = [
    ['series', 400, /time_field: is required/],
    ['series?time_field=day', 400, /value_field: is required/],
    ['series?time_field=day&value_field=__proto__', 400, /the file has no column ..__proto__/],
    ['series?time_field=word&value_field=value', 400, /source\.time_field: line 4: ..x.. is not a time/],
    ['series?time_field=day&value_field=word', 400, /source\.value_field: line 4: ..x.. is not a number/],
    [`series?time_field=${'x'.repeat(201)}&value_field=value`, 400, /time_field: /],
    ['series?time_field=day&value_field=value&limit=5001', 400, /limit: /],
    ['series?time_field=day&time_field=day&value_field=value', 400, /time_field: /],
    ['series?time_field=day&value_field=value&other=1', 400, /other/],
  ];
  for (const [query, status, message] of cases) {
    const reply = await owner.request('GET', `${path}/${file}/${query}`);
    assert.deepEqual([reply.status, message.test(reply.body)], [status, true], `${query} ${reply.body}`);
  }
  for (const line of ['0', '-1', '1.5', 'x', '1e12'])
    assert.equal((await owner.request('GET', `${path}/${file}?line=${line}`)).status, 400, line);
  const first = await owner.request<{ next_cursor: string }>('GET', `${path}/${file}?limit=5`);
  const both = await owner.request(
    'GET',
    `${path}/${file}?line=5&cursor=${encodeURIComponent(first.data.next_cursor)}`,
  );
  assert.match(both.body, /line: cannot be combined with cursor/);
  assert.equal((await owner.request('GET', `${path}/csv_none/series?time_field=day&value_field=value`)).status, 404);
});

test('only a member with all files learns how much they take up', async () => {
  await upload('other.csv');
  type Listed = {
    readonly files: unknown[];
    readonly storage: { readonly files: number; readonly bytes: number } | null;
  };
  const all = await owner.request<Listed>('GET', path);
  assert.deepEqual([all.data.storage?.files, all.data.storage?.bytes], [2, 2 * CSV.length]);
  const some = await member.request<Listed>('GET', path);
  assert.deepEqual([some.data.files.length, some.data.storage], [1, null]);
});
