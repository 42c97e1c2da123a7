import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ForecastResult } from '../../src/engine/index.ts';
import { readSnapshot } from '../../src/snapshots/index.ts';
import {
  FORECASTS,
  type ForecastService,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';
import { DAILY_CSV, makeCsvFile } from '../support/workspaces/csv-files.ts';
import { type KeyHolder, makeMember, makeWorkspace, register, WORKSPACES } from '../support/workspaces/workspaces.ts';

let service: ForecastService;
let owner: KeyHolder;
let workspaceId: string;
let source: { readonly csv_id: string };
let result: ForecastResult;
let file: { readonly name: string; readonly sha256: string };

before(async () => {
  service = await openForecastService(testedKind);
  result = await computeResult();
  owner = await register(service, { plan: 'enterprise' });
  ({ id: workspaceId } = await makeWorkspace(service.database, owner.id));
  const csv_id = await makeCsvFile(service.database, workspaceId, owner.id, DAILY_CSV, 'Secret merger plan.csv');
  ({ data: file } = await owner.request<typeof file>('GET', `${WORKSPACES}/${workspaceId}/csv/${csv_id}`));
  const fields = { workspace_id: workspaceId, csv_id, time_field: 'date', value_field: 'value' };
  source = { type: 'workspace_csv', ...fields } as typeof source;
});

after(() => service?.[Symbol.asyncDispose]());

async function createCompleted(fields: object): Promise<string> {
  const { status, data, body } = await owner.request<Started>('POST', FORECASTS, {
    source,
    horizon: 3,
    models: ['theta'],
    quantiles: [0.5],
    ...fields,
  });
  assert.equal(status, 202, body);
  await runAttempt(service, await activateJob(service.database, data.forecast_id), async () => result);
  return data.forecast_id;
}

/** Returns everything that a reader can fetch about a forecast, including headers. */
async function fetchEverything(reader: KeyHolder, id: string): Promise<string> {
  const at = `${FORECASTS}/${id}`;
  const answers = [];
  for (const path of [at, `${at}/events`, `${at}/export?format=csv`, `${at}/export?format=json`, `${at}/proof`]) {
    answers.push(await service.app.inject({ url: `/api${path}`, headers: reader.credentials }));
  }
  for (const [method, path] of [
    ['GET', `${WORKSPACES}/${workspaceId}/forecasts`],
    ['POST', `${at}/reproduce`],
    ['POST', `${at}/cancel`],
  ] as const) {
    answers.push(await service.app.inject({ method, url: `/api${path}`, headers: reader.credentials }));
  }
  assert.deepEqual(
    answers.slice(0, 6).map(({ statusCode }) => statusCode),
    [200, 200, 200, 200, 200, 200],
  );
  return answers.map(({ headers, body }) => JSON.stringify(headers) + body).join('\n');
}

test('hides the name and hash of the file from readers of a forecast', async () => {
  assert.deepEqual([file.name, file.sha256.length], ['Secret merger plan.csv', 64]);
  const reader = await register(service, { plan: 'enterprise' });
  await makeMember(service.database, workspaceId, reader.id, { role: 'editor', csv_scope_mode: 'none' });
  assert.equal((await reader.request('GET', `${WORKSPACES}/${workspaceId}/csv/${source.csv_id}`)).status, 403);
  const id = await createCompleted({ workspace_id: workspaceId });
  const fetched = await fetchEverything(reader, id);
  assert.ok(fetched.includes(source.csv_id), 'the reference is visible');
  assert.doesNotMatch(fetched, /secret|merger/i);
  assert.ok(!fetched.includes(file.sha256));
});

test('stores only the source, units and frequency of a file in a snapshot', async () => {
  const id = await createCompleted({});
  const { data } = await owner.request<{ snapshot: { id: string } }>('GET', `${FORECASTS}/${id}`);
  const frozen = await readSnapshot(service.forecasts, data.snapshot.id);
  assert.deepEqual(frozen?.about, { kind: 'forecast_input', source, units: '', frequency: '1D' });
});

test('shows only a title that the creator has set', async () => {
  const untitled = await createCompleted({ visibility: 'public' });
  const titled = await createCompleted({ visibility: 'public', title: 'Merger' });
  const stranger = await register(service);
  const titles = [];
  for (const id of [untitled, titled]) {
    const { data } = await stranger.request<{ title: string | null; slug: string }>('GET', `${FORECASTS}/${id}`);
    titles.push([data.title, data.slug.replace(/-[0-9a-f]{8}$/, '')]);
  }
  assert.deepEqual(titles, [
    [null, 'value-3'],
    ['Merger', 'merger'],
  ]);
});
