import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY_MS } from '../../src/calendar/index.ts';
import { readSnapshot } from '../../src/snapshots/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import {
  FORECASTS,
  type ForecastService,
  openForecastService,
  type Started,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import { withGuest, withKey } from '../support/identity/callers.ts';
import { testedKind } from '../support/platform/database.ts';
import { DAILY_CSV, makeCsvFile } from '../support/workspaces/csv-files.ts';
import { type KeyHolder, makeMember, makeWorkspace, register, WORKSPACES } from '../support/workspaces/workspaces.ts';

let service: ForecastService;
let owner: KeyHolder;
let workspace: { readonly id: string; readonly slug: string };
let file: string;

before(async () => {
  service = await openForecastService(testedKind, { worker: true });
  owner = await register(service, { plan: 'enterprise' });
  workspace = await makeWorkspace(service.database, owner.id);
  file = await makeCsvFile(service.database, workspace.id, owner.id);
});

after(() => service?.[Symbol.asyncDispose]());

const csvSource = (fields: object = {}) => ({
  type: 'workspace_csv',
  workspace_id: workspace.slug,
  csv_id: file,
  time_field: 'date',
  value_field: 'value',
  ...fields,
});

const forecastRequest = (source: object = csvSource(), fields: object = {}) => ({
  source,
  horizon: 3,
  models: ['theta'],
  ...fields,
});

interface View extends Started {
  readonly predictions: unknown;
  readonly settings: { readonly source: object; readonly frequency: string };
  readonly snapshot: { readonly id: string; readonly rows: number };
  readonly comparison: { readonly outcome: string } | null;
}

async function waitForCompleted(id: string, { request }: Pick<KeyHolder, 'request'> = owner): Promise<View> {
  const { data } = await waitFor(
    () => request<View>('GET', `${FORECASTS}/${id}`),
    (found) => found.data.status === 'completed' || found.data.status === 'failed',
  );
  assert.equal(data.status, 'completed', JSON.stringify(data));
  return data;
}

async function createForecast(account: Pick<KeyHolder, 'request'>, request: object): Promise<string> {
  const { status, data, body } = await account.request<Started>('POST', FORECASTS, request);
  assert.equal(status, 202, body);
  return data.forecast_id;
}

test('forecasts a file like the same inline rows, and reproduces the forecast after the file is deleted', async () => {
  const id = await makeCsvFile(service.database, workspace.id, owner.id);
  const fromFile = await waitForCompleted(await createForecast(owner, forecastRequest(csvSource({ csv_id: id }))));
  const points = DAILY_CSV.trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([day, value]) => ({ timestamp: `${day}T00:00:00Z`, value: Number(value) }));
  const fromRows = await waitForCompleted(await createForecast(owner, forecastRequest({ type: 'inline', points })));
  assert.deepEqual(fromFile.predictions, fromRows.predictions);
  assert.partialDeepStrictEqual(fromFile.settings, {
    frequency: '1D',
    source: { ...csvSource({ csv_id: id }), workspace_id: workspace.id },
  });
  assert.equal(fromFile.snapshot.rows, 40);
  assert.notEqual(fromFile.snapshot.id, fromRows.snapshot.id);
  const removed = await owner.request('DELETE', `${WORKSPACES}/${workspace.id}/csv/${id}`);
  assert.equal(removed.status, 200);
  const { status, data } = await owner.request<Started>('POST', `${FORECASTS}/${fromFile.forecast_id}/reproduce`);
  assert.equal(status, 202);
  const again = await waitForCompleted(data.forecast_id);
  assert.deepEqual([again.predictions, again.comparison?.outcome], [fromFile.predictions, 'exact']);
  const gone = await owner.request('POST', FORECASTS, forecastRequest(csvSource({ csv_id: id })));
  assert.equal(gone.code, 'NOT_FOUND');
});

test('selects rows of the file by cutoff and limit', async () => {
  const id = await createForecast(owner, forecastRequest(csvSource(), { cutoff: '2024-01-21T00:00:00Z', limit: 10 }));
  const { snapshot } = await waitForCompleted(id);
  const frozen = await readSnapshot(service.forecasts, snapshot.id);
  assert.deepEqual(
    [...(frozen?.table.timestamps ?? [])].map((time) => new Date(time).toISOString().slice(0, 10)),
    Array.from({ length: 10 }, (_, i) => `2024-01-${11 + i}`),
  );
});

test('uses future rows unless a cutoff excludes them, as with inline rows', async () => {
  const today = Math.floor(Date.now() / DAY_MS);
  const day = (row: number) => new Date((today - 29 + row) * DAY_MS).toISOString().slice(0, 10);
  const text = `date,value\n${Array.from({ length: 40 }, (_, row) => `${day(row)},${row % 7}`).join('\n')}\n`;
  const csv_id = await makeCsvFile(service.database, workspace.id, owner.id, text);
  const rowsWith = async (fields: object) =>
    (await waitForCompleted(await createForecast(owner, forecastRequest(csvSource({ csv_id }), fields)))).snapshot.rows;
  assert.equal(await rowsWith({}), 40);
  assert.equal(await rowsWith({ cutoff: `${day(29)}T12:00:00Z` }), 29);
  assert.equal(await rowsWith({ cutoff: 5 }), 35);
});

test('forecasts weeks dated by Fridays as weeks and records how they were dated', async () => {
  const friday = (row: number) => new Date(Date.UTC(2023, 0, 6 + 7 * row)).toISOString().slice(0, 10);
  const text = `date,value\n${Array.from({ length: 60 }, (_, row) => `${friday(row)},${row % 5}`).join('\n')}\n`;
  const csv_id = await makeCsvFile(service.database, workspace.id, owner.id, text);
  const { settings, snapshot } = await waitForCompleted(
    await createForecast(owner, forecastRequest(csvSource({ csv_id }))),
  );
  assert.equal(settings.frequency, '1W-MON');
  const frozen = await readSnapshot(service.forecasts, snapshot.id);
  assert.equal(frozen?.about.dated_by, 'monday_of_week');
  assert.equal(frozen?.table.timestamps[0], Date.UTC(2023, 0, 2));
});

test('forecasts from a file only for callers that may read it', async () => {
  const member = await register(service, { plan: 'enterprise' });
  const send = (source: object) => member.request('POST', FORECASTS, forecastRequest(source));
  const denied = await send(csvSource());
  const unknown = await send(csvSource({ workspace_id: 'ws_00000000000000000000000000' }));
  assert.deepEqual([denied.status, denied.code, denied.body], [403, 'WORKSPACE_DENIED', unknown.body]);
  const other = await makeCsvFile(service.database, workspace.id, owner.id);
  await makeMember(service.database, workspace.id, member.id, {
    csv_scope_mode: 'selected',
    csv_scope_ids: [file],
  });
  const hidden = await send(csvSource({ csv_id: other }));
  const missing = await send(csvSource({ csv_id: 'csv_00000000000000000000000000' }));
  assert.deepEqual([hidden.status, hidden.code, hidden.body], [404, 'NOT_FOUND', missing.body]);
  assert.equal((await send(csvSource())).status, 202, 'a viewer may create a forecast of its own');

  const key = await withKey(service.identity, owner.id, ['forecasts:write']);
  const narrow = await requestAs(service.app, key)('POST', FORECASTS, forecastRequest());
  assert.equal(narrow.code, 'SCOPE_DENIED');
  const guest = await requestAs(service.app, await withGuest(service.identity))('POST', FORECASTS, forecastRequest());
  assert.equal(guest.code, 'ACCOUNT_REQUIRED');
});

test('names a mistake in the file or in the fields of the source', async () => {
  const twice = await makeCsvFile(service.database, workspace.id, owner.id, `${DAILY_CSV}2024-01-03,5,x\n`);
  const cases: [object, RegExp][] = [
    [csvSource({ csv_id: twice }), /^line 42: the time 2024-01-03T00:00:00\.000Z is already used on line 4\.$/],
    [csvSource({ value_field: 'note' }), /^source\.value_field: line 2: "even" is not a number/],
    [csvSource({ time_field: 'when' }), /^source\.time_field: the file has no column "when"/],
    [csvSource({ time_field: undefined }), /^source\.time_field: is required/],
    [csvSource({ provider: 'x' }), /^source: unknown field "provider"/],
  ];
  for (const [source, message] of cases) {
    const { status, body } = await owner.request('POST', FORECASTS, forecastRequest(source));
    assert.equal(status, 400, body);
    assert.match(JSON.parse(body).error.message, message);
  }
  const weekly = await owner.request('POST', FORECASTS, forecastRequest(csvSource(), { frequency: '1W-MON' }));
  assert.equal(weekly.status, 422);
  assert.match(weekly.body, /frequency: the series is 1D/);
});

test('does not find, describe or download a file as market data', async () => {
  const source = csvSource({ workspace_id: workspace.id });
  const { snapshot } = await waitForCompleted(await createForecast(owner, forecastRequest(source)));
  const send = async (path: string, body: object) => {
    const response = await service.app.inject({
      method: 'POST',
      url: `/api${path}`,
      headers: owner.credentials,
      payload: body,
    });
    return { status: response.statusCode, body: response.json(), text: response.body };
  };
  for (const path of ['/v1/market-search/describe', '/v1/market-search/observations']) {
    const { status, body } = await send(path, { source });
    assert.deepEqual([status, body.ok, body.error], [400, false, 'INVALID_REQUEST'], path);
  }
  const found = await send('/v1/market-search', { query: 'daily.csv', limit: 100 });
  assert.ok(!found.text.includes('workspace_csv') && !found.text.includes(file), found.text);
  assert.equal((await send('/v1/market-search', { query: '', types: ['workspace_csv'] })).status, 400);
  const series = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };
  const frozen = await send('/v1/market-search/observations', { source: series, snapshot_id: snapshot.id });
  assert.deepEqual([frozen.status, frozen.body.error], [404, 'NOT_FOUND']);
  const bars = await send('/market-data/stocks/history', { symbol: 'AAPL', timeframe: '1D', snapshot_id: snapshot.id });
  assert.deepEqual([bars.status, bars.body.error], [404, 'NOT_FOUND']);
});

test('refuses frozen rows to a member that lost access to the file', async () => {
  const member = await register(service, { plan: 'enterprise' });
  await makeMember(service.database, workspace.id, member.id, { role: 'editor' });
  const own = await createForecast(member, forecastRequest());
  await waitForCompleted(own, member);
  const { data } = await owner.request<{ collaborators: { collaborator_id: string; user: { id: string } | null }[] }>(
    'GET',
    `${WORKSPACES}/${workspace.id}/collaborators`,
  );
  const collaborator = data.collaborators.find(({ user }) => user?.id === member.id)?.collaborator_id;
  assert.equal(
    (await owner.request('DELETE', `${WORKSPACES}/${workspace.id}/collaborators/${collaborator}`)).status,
    200,
  );
  assert.equal((await member.request('GET', `${FORECASTS}/${own}`)).status, 200, 'the account keeps its own forecast');
  const again = await member.request('POST', `${FORECASTS}/${own}/reproduce`);
  assert.deepEqual([again.status, again.code], [403, 'WORKSPACE_DENIED']);
});
