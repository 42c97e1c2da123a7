import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { z } from 'zod';
import { DAY_MS } from '../../src/calendar/index.ts';
import { createIdentityContext } from '../../src/compose/index.ts';
import type { ForecastOutcome } from '../../src/contract/index.ts';
import type { ForecastResult } from '../../src/engine/index.ts';
import {
  deleteForecast,
  findOutcome,
  formatOutcomeCsv,
  readPlanUsage,
  reportOutcome,
  viewOutcome,
} from '../../src/forecasts/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { readSnapshot } from '../../src/snapshots/index.ts';
import {
  create,
  dailyPoints,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { type OutcomeScene, onOutcomes } from '../support/forecasts/outcome-scene.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeMember, makeWorkspace, principalOf } from '../support/workspaces/workspaces.ts';

type View = z.output<typeof ForecastOutcome>;

describe(`requests for outcomes [${testedKind}]`, () => {
  let service: ForecastService;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService(testedKind);
    result = await computeResult();
  });
  after(() => service?.[Symbol.asyncDispose]());

  async function complete(caller: Awaited<ReturnType<ForecastService['account']>>) {
    const { forecast_id: id } = (await create(caller)).data;
    await runAttempt(service, await activateJob(service.database, id), async () => result);
    return id;
  }

  test('shows sent rows, in JSON and CSV, and refuses hostile bodies without a trace', async () => {
    const caller = await service.account();
    const queued = (await create(caller)).data.forecast_id;
    const early = await caller.request('GET', `${FORECASTS}/${queued}/outcome`);
    assert.deepEqual([early.status, early.code], [409, 'NOT_COMPLETED']);
    const point = { timestamp: '2024-02-10', value: 118 };
    const tooEarly = await caller.request('POST', `${FORECASTS}/${queued}/outcome`, { points: [point] });
    assert.deepEqual([tooEarly.status, tooEarly.code], [409, 'NOT_COMPLETED']);

    const id = await complete(caller);
    const path = `${FORECASTS}/${id}/outcome`;
    const waiting = await caller.request<View>('GET', path);
    assert.partialDeepStrictEqual(waiting.data, {
      forecast_id: id,
      status: 'waiting',
      rows: [],
      count: 0,
      mae: null,
      coverage: null,
    });
    const hostile: readonly [unknown, RegExp][] = [
      [{}, /points/],
      [{ points: [] }, /points/],
      [{ points: {} }, /points/],
      [{ points: [null] }, /points\[0\]/],
      [{ points: [[]] }, /points\[0\]/],
      [{ points: [{ ...point, timestamp: 1 }] }, /points\[0\]\.timestamp: must be a date/],
      [{ points: [{ ...point, timestamp: '2024-02-30' }] }, /points\[0\]\.timestamp/],
      [{ points: [{ ...point, timestamp: '9999-12-31T23:59:59-12:00' }] }, /points\[0\]\.timestamp/],
      [
        { points: [{ ...point, timestamp: '2024-02-10T00:00:00.001Z' }] },
        /points\[0\]\.timestamp: the forecast has no/,
      ],
      [{ points: [{ ...point, timestamp: '1200-01-01' }] }, /points\[0\]\.timestamp: the forecast has no/],
      [{ points: [{ ...point, value: '118' }] }, /points\[0\]\.value/],
      [{ points: [{ ...point, value: null }] }, /points\[0\]\.value/],
      [{ points: [{ ...point, value: 1e300 }] }, /points\[0\]\.value: must be between/],
      [{ points: [{ ...point, step: 1 }] }, /step/],
      [{ points: [point, { ...point, timestamp: '2024-02-10T00:00:00Z' }] }, /points\[1\]\.timestamp: appears twice/],
      [{ points: [point], status: 'complete' }, /status/],
      [{ points: Array.from({ length: 366 }, () => point) }, /points/],
    ];
    for (const [body, message] of hostile) {
      const refused = await caller.request('POST', path, body as object);
      assert.deepEqual([refused.status, refused.code], [400, 'INVALID_REQUEST'], JSON.stringify(body).slice(0, 80));
      assert.match(refused.body, message);
    }
    assert.deepEqual((await caller.request<View>('GET', path)).data, waiting.data);

    const sent = await caller.request<View>('POST', path, {
      points: [{ ...point, timestamp: '2024-02-10T01:00:00+01:00' }],
    });
    assert.equal(sent.status, 200);
    assert.partialDeepStrictEqual(sent.data, {
      status: 'partial',
      rows: [{ step: 1, actual: 118, replayed: true, quantiles: result.predictions[0]?.quantiles }],
      count: 0,
    });
    const conflict = await caller.request('POST', path, { points: [{ ...point, value: 119 }] });
    assert.deepEqual([conflict.status, conflict.code], [409, 'CONFLICT']);
    const csv = await service.app.inject({ url: `/api${path}?format=csv`, headers: { ...caller.credentials } });
    assert.match(String(csv.headers['content-disposition']), /^attachment; filename="[a-z0-9-]+-outcome\.csv"$/);
    assert.match(csv.body, /^step,.*\r\n1,2024-02-10T00:00:00\.000Z,118,true,[^,]+(,-?[\d.]+){5},,,,,\r\n$/);
    const unknown = await caller.request('GET', `${path}?format=xml`);
    assert.equal(unknown.status, 400);
  });

  test('refuses rows for a forecast whose source a job reads', async () => {
    const caller = await service.account();
    const source = { type: 'market', symbol: '^GSPC', timeframe: '1D' };
    const created = await caller.request<{ forecast_id: string }>('POST', FORECASTS, {
      source,
      horizon: 3,
      limit: 40,
      models: ['theta'],
    });
    const id = created.data.forecast_id;
    await runAttempt(service, await activateJob(service.database, id), async () => result);
    const body = { points: [{ timestamp: '2024-02-10', value: 118 }] };
    const refused = await caller.request('POST', `${FORECASTS}/${id}/outcome`, body);
    assert.deepEqual([refused.status, refused.code], [422, 'UNPROCESSABLE']);
    assert.match(refused.body, /is read from its source/);
  });
});

/** 2026-01-24 to 2026-03-04: the first step, Thursday, is over at midnight. */
const FIRST = Date.UTC(2026, 0, 24);
const STEPS = ['2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08'];

const make = (scene: OutcomeScene, fields: object = {}) =>
  scene.make({
    source: { type: 'inline', points: dailyPoints(40, FIRST) },
    horizon: 4,
    weight_mode: 'auto',
    weights: undefined,
    models: ['seasonal_naive', 'theta'],
    ...fields,
  });

const send = (scene: OutcomeScene, id: string, values: Readonly<Record<string, number>>) =>
  reportOutcome(
    scene.context,
    scene.owner,
    id,
    Object.entries(values).map(([day, value]) => ({ timestamp: Date.parse(day), value })),
  ).then(viewOutcome);

/** Computes the scores of an outcome from its CSV file, with other code than the service. */
function scoreCsv(csv: string) {
  const [heads = [], ...lines] = csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  const rows = lines.map((line) => Object.fromEntries(heads.map((head, i) => [head, line[i] ?? ''])));
  const scored = rows.filter(({ replayed }) => replayed === 'false');
  const levels = heads.filter((head) => /^0\.\d+$/.test(head));
  const losses = (prefix: string) =>
    levels.map((level) =>
      scored.reduce((sum, row) => {
        const over = Number(row.actual) - Number(row[`${prefix}${level}`]);
        return sum + 2 * Math.max(Number(level) * over, (Number(level) - 1) * over);
      }, 0),
    );
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const total = scored.reduce((sum, { actual }) => sum + Math.abs(Number(actual)), 0);
  return {
    count: scored.length,
    mae: mean(scored.map((row) => Math.abs(Number(row.actual) - Number(row['0.5'])))),
    average_wql: mean(losses('')) / total,
    relative_wql: mean(losses('')) / mean(losses('baseline_')),
    inside: mean(
      scored.map((row) =>
        Number(row.actual) >= Number(row['0.1']) && Number(row.actual) <= Number(row['0.9']) ? 1 : 0,
      ),
    ),
  };
}

onOutcomes('records sent rows once, in any order, and scores them as its CSV file does', async (scene) => {
  const { context, owner } = scene;
  const id = await make(scene);
  assert.equal((await scene.read(id)).next_check_at, null, 'no job reads inline rows');
  await assert.rejects(send(scene, id, { '2026-03-05': 120 }), {
    code: 'UNPROCESSABLE',
    message: 'points[0]: the value of 2026-03-05T00:00:00.000Z is final at 2026-03-06T00:00:00.000Z. Send it then.',
  });
  scene.moveTo('2026-03-08T12:00:00Z');
  await assert.rejects(send(scene, id, { '2026-03-06': 121, '2026-03-08': 1 }), {
    code: 'UNPROCESSABLE',
    message: /^points\[1\]/,
  });
  assert.deepEqual((await scene.read(id)).rows, [], 'a refused request records nothing');
  const first = await send(scene, id, { '2026-03-07': 122.5, '2026-03-05': 120.25 });
  assert.deepEqual([first.status, first.rows.map(({ step }) => step), first.count], ['partial', [1, 3], 2]);
  assert.deepEqual(await send(scene, id, { '2026-03-05': 120.25 }), first, 'an equal repeat changes nothing');
  await assert.rejects(send(scene, id, { '2026-03-06': 1, '2026-03-05': 120.26 }), {
    code: 'CONFLICT',
    message: 'points[1]: the value of 2026-03-05T00:00:00.000Z is recorded as 120.25. Recorded values are not changed.',
  });
  await assert.rejects(send(scene, id, { '2026-03-09': 1 }), {
    code: 'INVALID_REQUEST',
    message: /^points\[0\].timestamp: the forecast has no prediction/,
  });
  await assert.rejects(send(scene, id, { '2026-03-06': 1e16 }), {
    code: 'INVALID_REQUEST',
    message: /^points\[0\].value/,
  });
  scene.context.clock.advance(DAY_MS);
  const complete = await send(scene, id, { '2026-03-08': 119 });
  assert.deepEqual([complete.status, complete.rows.length], ['complete', 3], 'the second step is passed over');
  await assert.rejects(send(scene, id, { '2026-03-06': 1 }), { code: 'CONFLICT', message: /outcome is complete/ });
  assert.deepEqual(await send(scene, id, { '2026-03-08': 119 }), complete);

  const csv = formatOutcomeCsv(await findOutcome(context, owner, id));
  assert.match(
    csv,
    /^step,timestamp,actual,replayed,recorded_at,0\.1,.*,baseline_0\.9\r\n1,2026-03-05T00:00:00\.000Z,120\.25,false,/,
  );
  const { inside, ...scores } = scoreCsv(csv);
  for (const [name, value] of Object.entries(scores)) {
    const stated = complete[name as keyof typeof scores] ?? Number.NaN;
    assert.ok(Math.abs(stated - value) <= 1e-12 * Math.abs(value), `${name}: ${stated} and ${value}`);
  }
  assert.equal(complete.coverage?.['0.8'], inside);
  const { rows: held } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM snapshot_holder WHERE holder = ${id}`.execute(context.database.query());
  assert.deepEqual(held, [{ count: 2 }], 'the forecast holds its input and the last outcome');
});

onOutcomes('concurrent requests record every row once, and one of two values', async (scene) => {
  const [id, deleted] = [await make(scene), await make(scene)];
  scene.moveTo('2026-03-09T00:00:00Z');
  const sent = await Promise.allSettled([
    ...STEPS.map((day, i) => send(scene, id, { [day]: i })),
    ...STEPS.slice(0, 2).map((day) => send(scene, id, { [day]: 100 })),
  ]);
  const { rows, status } = await scene.read(id);
  assert.equal(status, 'complete');
  const failed = sent.filter((result) => result.status === 'rejected');
  for (const { reason } of failed) assert.match(String(reason.message), /is recorded as|outcome is complete/);
  assert.equal(rows.length, sent.length - failed.length, 'every accepted row is recorded');
  const ends = await Promise.allSettled([
    send(scene, deleted, { '2026-03-05': 1 }),
    deleteForecast(scene.context, scene.owner, deleted),
  ]);
  assert.equal(ends[1]?.status, 'fulfilled');
  const { rows: left } = await sql`SELECT 1 FROM snapshot_holder WHERE holder = ${deleted}`.execute(
    scene.context.database.query(),
  );
  assert.deepEqual(left, []);
});

/** Returns a context whose transactions begin after `wait`. */
function delayTransactions({ context }: OutcomeScene, wait: () => Promise<unknown>) {
  const transaction: typeof context.database.transaction = async (...args) => {
    await wait();
    return context.database.transaction(...args);
  };
  return { ...context, database: Object.assign(Object.create(context.database), { transaction }) };
}

onOutcomes('requests that read the same outcome do not overwrite the rows of each other', async (scene) => {
  const { owner } = scene;
  const id = await make(scene);
  scene.moveTo('2026-03-09T00:00:00Z');
  const { snapshot_bytes, bytes } = (await readPlanUsage(scene.context, owner, null)).storage;
  await send(scene, id, { '2026-03-05': 120 });
  // Both requests have read the outcome with one row before one of them adds to it.
  const together = Promise.withResolvers<void>();
  let waiting = 0;
  const context = delayTransactions(scene, async () => {
    waiting += 1;
    if (waiting === 2) together.resolve();
    await together.promise;
  });
  const later = ['2026-03-06', '2026-03-07'].map((day, i) => ({ timestamp: Date.parse(day), value: 121 + i }));
  await Promise.all(later.map((point) => reportOutcome(context, owner, id, [point])));
  const { rows, metrics, snapshot_id } = await scene.read(id);
  const actual = rows.map((row) => row.actual);
  assert.deepEqual([actual, metrics?.count], [[120, 121, 122], 3]);
  const snapshot = await readSnapshot(scene.context, snapshot_id);
  assert.deepEqual([...(snapshot?.table.columns.actual ?? [])], actual);
  const { rows: held } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM snapshot_holder WHERE holder = ${id}`.execute(scene.context.database.query());
  assert.deepEqual(held, [{ count: 2 }], 'the input and the last outcome');
  const { storage } = await readPlanUsage(scene.context, owner, null);
  assert.deepEqual([storage.snapshot_bytes, storage.bytes], [snapshot_bytes, bytes], 'outcomes are not counted');
});

onOutcomes('refuses rows of a member that was removed after its forecast was found', async (scene) => {
  const { database } = scene.context;
  const { id: workspace_id } = await makeWorkspace(database, scene.owner.accountId);
  const account = await makeAccount(createIdentityContext({ database, clock: systemClock }), { password: null });
  const member = principalOf(account);
  const collaborator = await makeMember(database, workspace_id, account.id, { role: 'editor' });
  const id = await make(scene, { workspace_id });
  scene.moveTo('2026-03-09T00:00:00Z');
  const report = (context: typeof scene.context, day: string) =>
    reportOutcome(context, member, id, [{ timestamp: Date.parse(day), value: 120 }]);
  await report(scene.context, '2026-03-05');
  const remove = () => sql`DELETE FROM workspace_member WHERE id = ${collaborator}`.execute(database.query());
  await assert.rejects(report(delayTransactions(scene, remove), '2026-03-06'), { code: 'NOT_FOUND' });
  assert.deepEqual(
    (await scene.read(id)).rows.map(({ step }) => step),
    [1],
  );
});
