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
import { runByHand, takeJob, trueResult } from '../support/forecasts/run-by-hand.ts';
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
  result = await trueResult();
  owner = await register(service, { plan: 'enterprise' });
  ({ id: workspaceId } = await makeWorkspace(service.database, owner.id));
  const csv_id = await makeCsvFile(service.database, workspaceId, owner.id, DAILY_CSV, 'Secret merger plan.csv');
  ({ data: file } = await owner.ask<typeof file>('GET', `${WORKSPACES}/${workspaceId}/csv/${csv_id}`));
  const fields = { workspace_id: workspaceId, csv_id, time_field: 'date', value_field: 'value' };
  source = { type: 'workspace_csv', ...fields } as typeof source;
});

after(() => service?.[Symbol.asyncDispose]());

async function completed(fields: object): Promise<string> {
  const { status, data, body } = await owner.ask<Started>('POST', FORECASTS, {
    source,
    horizon: 3,
    models: ['theta'],
    quantiles: [0.5],
    ...fields,
  });
  assert.equal(status, 202, body);
  await runByHand(service, await takeJob(service.database, data.forecast_id), async () => result);
  return data.forecast_id;
}

/** Everything that a reader of a forecast can get of it, headers included. */
async function allThatIsTold(reader: KeyHolder, id: string): Promise<string> {
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

test('a forecast tells its readers neither the name nor the hash of the file it was made from', async () => {
  assert.deepEqual([file.name, file.sha256.length], ['Secret merger plan.csv', 64]);
  const reader = await register(service, { plan: 'enterprise' });
  await makeMember(service.database, workspaceId, reader.id, { role: 'editor', csv_scope_mode: 'none' });
  assert.equal((await reader.ask('GET', `${WORKSPACES}/${workspaceId}/csv/${source.csv_id}`)).status, 403);
  const id = await completed({ workspace_id: workspaceId });
  const told = await allThatIsTold(reader, id);
  assert.ok(told.includes(source.csv_id), 'the reference is there');
  assert.doesNotMatch(told, /secret|merger/i);
  assert.ok(!told.includes(file.sha256));
});

test('what is frozen says what the rows are, and nothing else of the file', async () => {
  const id = await completed({});
  const { data } = await owner.ask<{ snapshot: { id: string } }>('GET', `${FORECASTS}/${id}`);
  const frozen = await readSnapshot(service.jobs, data.snapshot.id);
  assert.deepEqual(frozen?.about, { kind: 'forecast_input', source, units: '', frequency: '1D' });
});

test('a title is what the maker has set', async () => {
  const untitled = await completed({ visibility: 'public' });
  const titled = await completed({ visibility: 'public', title: 'Merger' });
  const stranger = await register(service);
  const titles = [];
  for (const id of [untitled, titled]) {
    const { data } = await stranger.ask<{ title: string | null; slug: string }>('GET', `${FORECASTS}/${id}`);
    titles.push([data.title, data.slug.replace(/-[0-9a-f]{8}$/, '')]);
  }
  assert.deepEqual(titles, [
    [null, 'value-3'],
    ['Merger', 'merger'],
  ]);
});
