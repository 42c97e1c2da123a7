import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { TrackRecord } from '../../src/contract/index.ts';
import { exportTrackRecord } from '../../src/forecasts/index.ts';
import { selectOutcomes } from '../../src/forecasts/track-record/select-outcomes.ts';
import { newId } from '../../src/platform/index.ts';
import { contentId } from '../../src/provenance/index.ts';
import type { ForecastService } from '../support/forecasts/forecast-service.ts';
import { parseTrackRecord, recomputeRecord } from '../support/forecasts/recompute-record.ts';
import { addScoredForecast, type ScoredForecastFields } from '../support/forecasts/scored-forecasts.ts';
import { stampProof } from '../support/scout/proofs.ts';
import {
  type KeyHolder,
  makeMember,
  makeWorkspace,
  principalOf,
  type Registered,
  register,
  shareService,
} from '../support/workspaces/workspaces.ts';

const PATH = '/v1/forecast/track-record';
type Record = z.output<typeof TrackRecord>;

const onService = shareService();

async function read({ request }: Pick<Registered, 'request'>, query = ''): Promise<Record> {
  const { status, data, body } = await request<Record>('GET', `${PATH}?${query}`);
  assert.equal(status, 200, body);
  return data;
}

async function readCsv({ app }: ForecastService, { credentials }: KeyHolder, query = '') {
  const reply = await app.inject({ url: `/api${PATH}?format=csv&${query}`, headers: credentials });
  assert.equal(reply.statusCode, 200, reply.body);
  return reply;
}

/** Asserts that two documents have the same fields and, apart from rounding, the same numbers. */
function assertSame(actual: unknown, expected: unknown, path = ''): void {
  if (typeof actual === 'number' && typeof expected === 'number') {
    assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${path}: ${actual}, ${expected}`);
  } else if (typeof actual === 'object' && actual !== null && typeof expected === 'object' && expected !== null) {
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), path);
    for (const [key, value] of Object.entries(actual)) {
      assertSame(value, (expected as { [name: string]: unknown })[key], `${path}.${key}`);
    }
  } else {
    assert.equal(actual, expected, path);
  }
}

const SHAPES: readonly Omit<ScoredForecastFields, 'owner'>[] = [
  { horizon: 3 },
  { horizon: 25, models: ['ets', 'toto'], quantiles: [0.025, 0.1, 0.3, 0.5, 0.9, 0.975] },
  { horizon: 70, models: ['theta'], quantiles: [0.1, 0.5, 0.9] },
  { horizon: 1, models: ['ets', 'theta', 'arima'], quantiles: [0.5] },
  { horizon: 7, quantiles: [0.1, 0.9], replayed: 3 },
  { horizon: 12, quantiles: [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95], source: null },
  { horizon: 5, quantiles: [0.001, 0.999], models: ['toto'] },
];

onService('gives the figures that a second computation finds in the CSV file', async (service) => {
  const owner = await register(service);
  for (const [seed, shape] of [...SHAPES, ...SHAPES].entries()) {
    await addScoredForecast(service.database, { owner: owner.id, seed: seed + 1, ...shape });
  }
  const record = await read(owner, 'mine=true');
  const reply = await readCsv(service, owner, 'mine=true');
  assert.match(String(reply.headers['content-type']), /^text\/csv/);
  assert.equal(reply.headers['content-disposition'], 'attachment; filename="track-record.csv"');
  assert.equal(reply.headers['x-truncated'], 'false');
  const lines = parseTrackRecord(reply.body);
  const { ensemble, models, forecasts, reported } = record;
  assert.deepEqual([forecasts, reported, ensemble.forecasts, ensemble.compared], [14, 2, 14, 14]);
  assertSame(ensemble, recomputeRecord(lines, 'ensemble'), 'ensemble');
  assert.deepEqual(
    models.map(({ model, forecasts: count }) => [model, count]),
    [
      ['arima', 2],
      ['ets', 10],
      ['theta', 10],
      // Twice, none of the requested quantiles was one that it states.
      ['toto', 2],
    ],
  );
  for (const { model, ...own } of models) assertSame(own, recomputeRecord(lines, model), model);
  assert.deepEqual(
    ensemble.bands.map(({ steps }) => steps),
    ['1', '2-5', '6-20', '21-60', '61-365'],
  );
  const counted = new Set(lines.filter(({ sourceType }) => sourceType === 'inline').map(({ forecast }) => forecast));
  assert.equal(counted.size, reported);
  // The same from the lines of one model alone.
  const only = await read(owner, 'mine=true&model=toto');
  const ofModel = parseTrackRecord((await readCsv(service, owner, 'mine=true&model=toto')).body);
  assert.deepEqual([only.forecasts, only.models.length], [2, 1]);
  assertSame(only.ensemble, recomputeRecord(ofModel, 'ensemble'), 'ensemble with toto');
  assert.deepEqual([...new Set(ofModel.map(({ model }) => model))], ['ensemble', 'toto', 'seasonal_naive_baseline']);
});

onService('has no figures without forecasts', async (service) => {
  const newcomer = await register(service);
  const record = await read(newcomer, 'mine=true');
  const { from, to, forecasts, truncated, models, ensemble } = record;
  assert.deepEqual([from, to, forecasts, truncated, models], [null, null, 0, false, []]);
  assert.deepEqual([ensemble.relative_wql, ensemble.coverage, ensemble.bands], [null, [], []]);
  assert.ok(
    ensemble.deciles.length === 10 && ensemble.deciles.every(({ rows, share }) => rows === 0 && share === null),
  );
  const { body } = await readCsv(service, newcomer, 'mine=true');
  assert.equal(body, 'forecast_id,made_at,source_type,source,horizon,model,step,timestamp,actual\r\n');
});

onService('never counts unfinished outcomes, replayed rows or reproductions', async (service, owner) => {
  const { database } = service;
  const add = (fields: Partial<ScoredForecastFields> = {}) =>
    addScoredForecast(database, { owner: owner.id, ...fields });
  const original = await add({ horizon: 4, replayed: 1 });
  await add({ status: 'partial' });
  await add({ horizon: 3, replayed: 3 });
  const copy = await add({ reproduces: original });
  const record = await read(owner, 'mine=true');
  assert.deepEqual([record.forecasts, record.ensemble.rows], [1, 3]);
  // A reproduction keeps its mark when the original is deleted, even before it has run and has a comparison.
  await sql`UPDATE forecast SET is_copy = true WHERE id = ${copy}`.execute(database.query());
  assert.equal((await owner.request('DELETE', `/v1/ensemble-forecasts/${original}`)).status, 200);
  assert.equal((await read(owner, 'mine=true')).forecasts, 0);
});

onService('counts outcomes that an account sent only for itself, because anyone can publish them', async (service) => {
  const { database } = service;
  const [owner, other] = [await register(service), await register(service)];
  // A horizon that no other test uses, because public forecasts are in the record of every account.
  const horizon = 13;
  const id = await addScoredForecast(database, { owner: owner.id, visibility: 'public', workspace_id: null, horizon });
  const counts = async () => [
    (await read(owner, `horizon=${horizon}`)).forecasts,
    (await read(other, `horizon=${horizon}`)).forecasts,
  ];
  assert.deepEqual(await counts(), [1, 1]);
  await sql`UPDATE forecast SET settings = (settings::jsonb || '{"source": null}')::json WHERE id = ${id}`.execute(
    database.query(),
  );
  assert.deepEqual(await counts(), [1, 0]);
});

onService('covers only forecasts that the caller may read', async (service) => {
  const { database } = service;
  const owner = await register(service);
  const [member, editor, outsider] = [await register(service), await register(service), await register(service)];
  const { id: workspace } = await makeWorkspace(database, owner.id);
  // A horizon that no other test uses, because public forecasts are in the record of every account.
  const horizon = 11;
  const add = (creator: Registered, visibility: 'private' | 'workspace' | 'public', workspace_id: string | null) =>
    addScoredForecast(database, { owner: creator.id, visibility, workspace_id, horizon });
  for (const visibility of ['private', 'workspace', 'public'] as const) await add(owner, visibility, workspace);
  await add(owner, 'private', null);
  const selected = await add(editor, 'workspace', workspace);
  await add(editor, 'private', workspace);
  const scope = { forecasts_scope_mode: 'selected' as const, forecasts_scope_ids: [selected] };
  const membership = await makeMember(database, workspace, member.id);
  await makeMember(database, workspace, editor.id, { role: 'editor', ...scope });
  const count = async (caller: Pick<Registered, 'request'>, query = '') =>
    (await read(caller, `horizon=${horizon}${query}`)).forecasts;
  const counts = async (query = '') => Promise.all([owner, member, editor, outsider].map((one) => count(one, query)));
  // The owner: four own ones and the shared one of the editor. The member: what is shared or public. The editor: the
  // selected one, its own private one and the public one.
  assert.deepEqual(await counts(), [5, 3, 3, 1]);
  assert.deepEqual(await counts('&mine=true'), [4, 0, 2, 0]);
  const named = `&workspace_id=${workspace}`;
  assert.deepEqual([await count(owner, named), await count(member, named), await count(editor, named)], [4, 3, 3]);
  assert.equal((await outsider.request('GET', `${PATH}?workspace_id=${workspace}`)).code, 'WORKSPACE_DENIED');
  assert.equal(
    (await outsider.request('GET', `${PATH}?workspace_id=${workspace}&format=csv`)).code,
    'WORKSPACE_DENIED',
  );
  for (const caller of [owner, member, editor, outsider]) {
    const lines = parseTrackRecord((await readCsv(service, caller, `horizon=${horizon}`)).body);
    assert.equal(new Set(lines.map(({ forecast }) => forecast)).size, await count(caller));
  }
  const elsewhere = await register(service);
  await makeMember(database, (await makeWorkspace(database, outsider.id)).id, elsewhere.id, scope);
  assert.equal(await count(elsewhere), 1, 'an id in the scope of another workspace gives no access');
  assert.equal((await owner.request('DELETE', `/v1/workspaces/${workspace}/collaborators/${membership}`)).status, 200);
  assert.equal(await count(member), 1);
  await sql`DELETE FROM workspace_member WHERE account_id = ${editor.id} AND workspace_id = ${workspace}`.execute(
    database.query(),
  );
  assert.deepEqual([await count(editor), await count(editor, '&mine=true')], [1, 0], 'not even its own ones there');
});

onService('writes no more rows of a workspace after the caller was removed from it', async (service, owner) => {
  const { database } = service;
  const member = await register(service);
  const { id: workspace_id } = await makeWorkspace(database, owner.id);
  await makeMember(database, workspace_id, member.id);
  const horizon = 13;
  for (let seed = 1; seed <= 12; seed++)
    await addScoredForecast(database, { owner: owner.id, workspace_id, horizon, seed });
  await addScoredForecast(database, { owner: member.id, horizon, completed_at: new Date('2026-01-31T00:00:00Z') });
  for (const criteria of [{ horizon }, { horizon, workspace_id }]) {
    const { chunks } = await exportTrackRecord(service.forecasts, principalOf(member), criteria);
    let forecasts = 0;
    for await (const chunk of chunks()) {
      if (chunk.includes('forecast_id')) continue;
      if (++forecasts === 1) {
        await sql`DELETE FROM workspace_member WHERE account_id = ${member.id}`.execute(database.query());
      }
    }
    // The ten forecasts that were read together before, and the one of the caller itself.
    assert.equal(forecasts, 'workspace_id' in criteria ? 10 : 11);
    await makeMember(database, workspace_id, member.id);
  }
});

onService('filters by model, source, horizon and creation', async ({ database }, owner) => {
  const add = (fields: Partial<ScoredForecastFields>) => addScoredForecast(database, { owner: owner.id, ...fields });
  await add({ created_at: new Date('2025-02-01T00:00:00Z'), horizon: 9 });
  await add({ source: { type: 'economic_series', provider: 'fred', series_id: 'UNRATE' }, models: ['arima'] });
  await add({ source: { type: 'warehouse_table', table: 'local.Sales', time_field: 't', value_field: 'v' } });
  await add({ source: null });
  const csv = { type: 'workspace_csv', workspace_id: 'ws_1', csv_id: newId('csv'), time_field: 't', value_field: 'v' };
  await add({ source: csv as ScoredForecastFields['source'] & object });
  for (const [query, forecasts, reported] of [
    ['', 5, 2],
    ['source=market', 1, 0],
    ['source=%5Egspc', 1, 0],
    ['source=unrate', 1, 0],
    ['source=UNRATE', 1, 0],
    ['source=unrat_', 0, 0],
    ['source=LOCAL.sales', 1, 0],
    ['source=inline', 1, 1],
    ['source=workspace_csv', 1, 1],
    [`source=${csv.csv_id}`, 1, 1],
    ["source=' OR true --", 0, 0],
    ['model=arima', 1, 0],
    ['model=ensemble', 5, 2],
    ['model=__proto__', 0, 0],
    ['horizon=9', 1, 0],
    ['horizon=3&source=inline', 1, 1],
    ['horizon=365', 0, 0],
    ['from=2025-02-01T00:00:00Z&to=2025-02-01T00:00:00.001Z', 1, 0],
    ['to=2025-02-01T00:00:00Z', 0, 0],
    ['from=2026-01-04T01:00:00%2B01:00', 4, 2],
  ] as const) {
    const record = await read(owner, `mine=true&${query.replaceAll(' ', '%20')}`);
    assert.deepEqual([record.forecasts, record.reported], [forecasts, reported], query);
  }
  const { from, to } = await read(owner, 'mine=true');
  assert.deepEqual([from, to], ['2025-02-01T00:00:00.000Z', '2026-01-04T00:00:00.000Z']);
  assert.deepEqual((await read(owner, 'mine=true&model=ensemble')).models, []);
});

onService('counts only forecasts that were stamped before their first scored row', async ({ database }, owner) => {
  const first = new Date('2026-01-06T00:00:00Z');
  const stamps = [null, new Date(first.getTime() - 1), first, new Date(first.getTime() + 1)];
  for (const [seed, stampedAt] of stamps.entries()) {
    const content_cid = contentId({ seed, owner: owner.id });
    await addScoredForecast(database, { owner: owner.id, content_cid, first_outcome_at: first, seed });
    if (stampedAt !== null) await stampProof(database, content_cid, stampedAt);
  }
  const count = async (query: string) => (await read(owner, `mine=true&${query}`)).forecasts;
  assert.deepEqual([await count(''), await count('stamped=false'), await count('stamped=true')], [4, 4, 1]);
});

onService('leaves out the oldest outcomes beyond the limit', async (service, owner) => {
  const ids: string[] = [];
  for (const day of [2, 3, 1]) {
    ids.push(await addScoredForecast(service.database, { owner: owner.id, completed_at: new Date(2026, 3, day) }));
  }
  const select = (limit: number) => selectOutcomes(service.forecasts, principalOf(owner), { mine: true }, limit);
  const some = await select(2);
  assert.deepEqual([some.ids, some.truncated], [[ids[1], ids[0]], true]);
  const all = await select(3);
  assert.deepEqual([all.ids.length, all.truncated], [3, false]);
});

onService('refuses malformed choices and names the field', async (_service, { request }) => {
  for (const [query, field] of [
    ['stamped=yes', 'stamped'],
    ['stamped=', 'stamped'],
    ['mine=1', 'mine'],
    ['mine=true&mine=true', 'mine'],
    ['horizon=0', 'horizon'],
    ['horizon=366', 'horizon'],
    ['horizon=1.5', 'horizon'],
    ['horizon=1e999', 'horizon'],
    ['from=yesterday', 'from'],
    ['to=2026-01-01', 'to'],
    ['to=%2B275760-09-13T00:00:00Z', 'to'],
    ['model=', 'model'],
    [`model=${'m'.repeat(61)}`, 'model'],
    ['source=%00', 'source'],
    [`source=${'s'.repeat(301)}`, 'source'],
    ['format=xml', 'format'],
    ['owner=me', 'owner'],
    [`workspace_id=${'w'.repeat(101)}`, 'workspace_id'],
  ] as const) {
    const { code, body } = await request('GET', `${PATH}?${query}`);
    assert.equal(code, 'INVALID_REQUEST', query);
    assert.ok(body.includes(field), `${query}: ${body}`);
  }
  assert.equal((await request('GET', `${PATH}?workspace_id=ws_nothing`)).code, 'WORKSPACE_DENIED');
});

onService('writes names that look like formulas as text', async (service) => {
  const owner = await register(service);
  const source = { type: 'warehouse_table', table: '=HYPERLINK("x")', time_field: 't', value_field: 'v' } as const;
  await addScoredForecast(service.database, { owner: owner.id, source, horizon: 1, models: [] });
  const [, line] = (await readCsv(service, owner, 'mine=true')).body.split('\r\n');
  assert.match(line ?? '', /^ef_\w+,2026-01-04T00:00:00\.000Z,warehouse_table,"'=HYPERLINK\(""x""\)",1,ensemble,1,/);
});
