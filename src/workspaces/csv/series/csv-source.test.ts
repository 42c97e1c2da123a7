import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeAccount } from '../../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../../test/support/identity/identity.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../../../../test/support/platform/database.ts';
import { checkSeriesSource } from '../../../../test/support/snapshots/series-source-contract.ts';
import { DAILY_CSV, makeCsvFile } from '../../../../test/support/workspaces/csv-files.ts';
import {
  makeMember,
  makeWorkspace,
  principalOf,
  type TestWorkspace,
} from '../../../../test/support/workspaces/workspaces.ts';
import { type Account, ANONYMOUS } from '../../../access/index.ts';
import { DAY_MS } from '../../../calendar/index.ts';
import { MIGRATIONS } from '../../../compose/index.ts';
import type { WorkspaceCsvReference } from '../../../contract/index.ts';
import type { Database } from '../../../platform/index.ts';
import type { SeriesSource, SourceRows } from '../../../snapshots/index.ts';
import { createCsvSource } from './csv-source.ts';

const months = Array.from({ length: 30 }, (_, i) => `${2020 + Math.floor(i / 12)}-${(i % 12) + 1};${i},5`);
const today = Math.floor(Date.now() / DAY_MS);
const dayAt = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

let fixture: TestDatabase;
let database: Database;
let source: ReturnType<typeof createCsvSource>;
let owner: Account;
let workspace: TestWorkspace;
let daily: WorkspaceCsvReference;
let monthly: WorkspaceCsvReference;
let future: WorkspaceCsvReference;
let fridays: WorkspaceCsvReference;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  database = fixture.database;
  source = createCsvSource({ database });
  owner = await newAccount();
  workspace = await makeWorkspace(database, owner.accountId);
  daily = { ...(await uploadFile(DAILY_CSV)), time_field: 'date' };
  monthly = await uploadFile(`time;value\n${months.toReversed().join('\n')}\n`);
  future = await uploadFile(
    `time,value\n${Array.from({ length: 40 }, (_, i) => `${dayAt(today - 29 + i)},${i}`).join('\n')}\n`,
  );
  fridays = await uploadFile(
    `time,value\n${Array.from({ length: 40 }, (_, i) => `${dayAt(19_727 + 7 * i)},${i}`).join('\n')}\n`,
  );
});
after(() => fixture?.[Symbol.asyncDispose]());

const newAccount = async () => principalOf(await makeAccount(movableIdentity(database), { password: null }));

async function uploadFile(text: string): Promise<WorkspaceCsvReference> {
  const csv_id = await makeCsvFile(database, workspace.id, owner.accountId, text);
  return { type: 'workspace_csv', workspace_id: workspace.id, csv_id, time_field: 'time', value_field: 'value' };
}

const rowsOf = ({ table, valueField }: SourceRows): (readonly [string, number | undefined])[] =>
  [...table.timestamps].map((time, row) => [
    new Date(time).toISOString().slice(0, 16),
    table.columns[valueField]?.[row],
  ]);

async function readRefused(text: string, fields: Partial<WorkspaceCsvReference> = {}): Promise<string> {
  const reference = { ...(await uploadFile(text)), ...fields };
  return source.read(reference, {}).then(
    () => 'no fault',
    (error) => `${error.code} ${error.message}`,
  );
}

checkSeriesSource('workspace_csv', async () => ({
  source: source as unknown as SeriesSource,
  known: [daily, monthly, { ...monthly, workspace_id: workspace.slug }, future, fridays],
  unknown: [
    { ...daily, csv_id: 'csv_00000000000000000000000000' },
    { ...daily, workspace_id: 'ws_00000000000000000000000000' },
  ],
}));

test('orders rows by time and treats rows without a value as gaps', async () => {
  const reference = await uploadFile(
    'time,value\n2024-01-04,4\n2024-01-01,1\n2024-01-03,NA\n,\n2024-01-02,2\n2024-01-05, 5 \n',
  );
  assert.deepEqual(rowsOf(await source.read(reference, {})), [
    ['2024-01-01T00:00', 1],
    ['2024-01-02T00:00', 2],
    ['2024-01-04T00:00', 4],
    ['2024-01-05T00:00', 5],
  ]);
});

test('reads future rows as well, and with a cutoff only rows whose period had ended', async () => {
  const all = await source.read(future, {});
  assert.equal(all.table.timestamps.length, 40);
  const completed = await source.read(future, { cutoff: today * DAY_MS });
  assert.equal(completed.table.timestamps.length, 29);
  assert.equal(completed.table.timestamps.at(-1), (today - 1) * DAY_MS);
});

test('reports how rows were dated by their periods', async () => {
  const { about, table, cadence } = await source.read(fridays, {});
  assert.equal(cadence.frequency, '1W-MON');
  assert.equal(dayAt((table.timestamps[0] ?? 0) / DAY_MS), '2024-01-01');
  assert.equal(about.dated_by, 'monday_of_week');
  assert.equal('dated_by' in (await source.read(daily, {})).about, false);
});

test('finds the frequency of times in every format', async () => {
  const cases: [string[], string, string][] = [
    [['2024-01', '2024-02', '2024-03'], '1MS', '2024-01-01T00:00'],
    [['2023Q3', '2023Q4', '2024Q1'], '1QE', '2023-09-30T00:00'],
    [['2020', '2021', '2022'], '1YE', '2020-12-31T00:00'],
    [['13.01.2024', '14.01.2024', '15.01.2024'], '1D', '2024-01-13T00:00'],
    [['2024-01-31', '2024-02-29', '2024-03-31'], '1ME', '2024-01-31T00:00'],
    [['20240113', '20240114', '20240115'], '1D', '2024-01-13T00:00'],
    [['2024-W01', '2024-W02', '2024-W03'], '1W-MON', '2024-01-01T00:00'],
    [['Q3 2023', 'Q4 2023', 'Q1 2024'], '1QE', '2023-09-30T00:00'],
    [['Jan-2024', 'Feb-2024', 'Mar-2024'], '1MS', '2024-01-01T00:00'],
    [['Jan 1, 2024', 'Jan 2, 2024', 'Jan 3, 2024'], '1D', '2024-01-01T00:00'],
    [['1/31/2024 1:00 PM', '1/31/2024 2:00 PM', '1/31/2024 3:00 PM'], '1h', '2024-01-31T13:00'],
    [['2024-01-01T00:00+01:00', '2024-01-01T01:00+01:00', '2024-01-01T02:00+01:00'], '1h', '2023-12-31T23:00'],
  ];
  for (const [times, frequency, first] of cases) {
    const reference = await uploadFile(`time;value\n${times.map((time, row) => `${time};${row}`).join('\n')}\n`);
    const rows = await source.read(reference, {});
    assert.deepEqual([rows.cadence, rowsOf(rows)[0]], [{ frequency, kind: 'plain' }, [first, 0]], times[0]);
    assert.equal(rows.about.frequency, frequency);
  }
});

test('refuses a column that is missing or has no times or numbers, with the reason', async () => {
  const days = '2024-01-01,1,x\n2024-01-02,2,y\n2024-01-03,3,z\n';
  const file = `time,value,word\n${days}`;
  const cases: [string, Partial<WorkspaceCsvReference>, RegExp][] = [
    [
      file,
      { time_field: 'when' },
      /^INVALID_REQUEST source\.time_field: the file has no column "when"\. Its columns are "time", "value", "word"\.$/,
    ],
    [file, { value_field: 'Value' }, /^INVALID_REQUEST source\.value_field: the file has no column "Value"/],
    [file, { value_field: 'word' }, /^INVALID_REQUEST source\.value_field: line 2: "x" is not a number\.$/],
    [
      file,
      { time_field: 'word' },
      /^INVALID_REQUEST source\.time_field: line 2: "x" is not a time of the years 1800 to 2200\. Write/,
    ],
    [
      `${file}2024-01-04,n.v.,a\n`,
      {},
      /^INVALID_REQUEST source\.value_field: line 5: "n\.v\." is not a number in the format of the cells above it\.$/,
    ],
    [
      'time,value\n1704067200,1\n1704153600,2\n',
      {},
      /^INVALID_REQUEST source\.time_field: The numbers look like seconds/,
    ],
    ['time,value\n1/31/24,1\n2/1/24,2\n', {}, /^INVALID_REQUEST source\.time_field: line 2: "1\/31\/24" has no year/],
    [
      `${file}04.01.2024,4,a\n`,
      {},
      /^INVALID_REQUEST source\.time_field: line 5: "04\.01\.2024" is not a time .* YYYY-MM-DD/,
    ],
    [
      'time,value\n01/02/2024,1\n02/02/2024,2\n',
      {},
      /^INVALID_REQUEST source\.time_field: line 2: "01\/02\/2024" can be read day first/,
    ],
    [
      'time;value\n2024-01-01;1,234\n2024-01-02;2,345\n',
      {},
      /^INVALID_REQUEST source\.value_field: line 2: "1,234" can have a dec/,
    ],
    [
      'time,value\n2024-01-01,\n2024-01-02,\n',
      {},
      /^INVALID_REQUEST source\.value_field: the column "value" has no values\.$/,
    ],
    [
      `${file}2024-01-02,9,a\n`,
      {},
      /^INVALID_REQUEST line 5: the time 2024-01-02T00:00:00\.000Z is already used on line 3\.$/,
    ],
    [
      `${file}2024-01-02,,a\n`,
      {},
      /^INVALID_REQUEST line 5: the time 2024-01-02T00:00:00\.000Z is already used on line 3\.$/,
    ],
    [`${file},9,a\n2024-01-05,4,b\n`, {}, /^INVALID_REQUEST line 5: there is a value without a time/],
    [
      `${file}2024-01-04,1e16,a\n`,
      {},
      /^INVALID_REQUEST line 5: the value must be between -1000000000000000 and 1000000000000000\.$/,
    ],
    [
      'time,value\n2024-01-01,1\n2024-01-02,2\n',
      {},
      /^INSUFFICIENT_HISTORY source: the file has 2 rows with a value\. At least 3/,
    ],
    [
      'time,value\n2024-01-01,1\n2024-01-09,2\n2024-03-01,3\n',
      {},
      /^INVALID_REQUEST source: The timestamps are irregular/,
    ],
  ];
  for (const [text, fields, message] of cases) assert.match(await readRefused(text, fields), message);
});

test('lets a member read a file in its scope, with a credential that can read workspaces', async () => {
  const member = await newAccount();
  const authorize = (principal: Parameters<typeof source.authorize>[0], reference = daily) =>
    source.authorize(principal, reference).then(
      () => 'allowed',
      (error) => `${error.code}: ${error.message}`,
    );
  const denied = await authorize(member);
  assert.match(denied, /^WORKSPACE_DENIED: /);
  assert.equal(await authorize(member, { ...daily, workspace_id: 'ws_00000000000000000000000000' }), denied);
  assert.equal(await authorize(owner), 'allowed');
  await makeMember(database, workspace.id, member.accountId, {
    csv_scope_mode: 'selected',
    csv_scope_ids: [daily.csv_id],
  });
  assert.equal(await authorize(member), 'allowed');
  assert.match(await authorize(member, monthly), /^NOT_FOUND: No file of this workspace has this id/);
  assert.equal(await authorize(member, { ...daily, csv_id: 'csv_0' }), await authorize(member, monthly));
  const narrow = { ...owner, scopes: ['forecasts:write'] } as const;
  assert.equal(
    await authorize(narrow),
    'SCOPE_DENIED: source: reading a file of a workspace requires the scope workspaces:read.',
  );
  assert.match(await authorize({ kind: 'guest', guestId: 'gst_1' }), /^ACCOUNT_REQUIRED: /);
  assert.match(await authorize(ANONYMOUS), /^UNAUTHENTICATED: /);
});
