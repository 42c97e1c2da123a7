import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Account } from '../../src/access/index.ts';
import type { Frequency } from '../../src/calendar/index.ts';
import { ForecastRequestBody, MAX_SCOPE_IDS } from '../../src/contract/index.ts';
import { createInlineRunner, createModels, forecast } from '../../src/engine/index.ts';
import { createForecast, estimateForecast, findForecast } from '../../src/forecasts/index.ts';
import { countRows } from '../support/forecasts/forecast-counts.ts';
import {
  type Caller,
  create,
  dailyPoints,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { simulateTime } from '../support/forecasts/guest-day.ts';
import { makeBars, onOutcomes, STOCK } from '../support/forecasts/outcome-scene.ts';
import { testedKind } from '../support/platform/database.ts';
import { readTableVersions } from '../support/platform/table-versions.ts';
import { makeMember, makeWorkspace, principalOf, WORKSPACES } from '../support/workspaces/workspaces.ts';

interface Estimate {
  readonly credits: number;
  readonly credits_left: number | null;
  readonly rows: number;
  readonly folds: number;
  readonly models: string[];
  readonly frequency: Frequency;
  readonly season: number;
  readonly warnings: string[];
}

interface Usage {
  readonly credits: { readonly reserved: number; readonly left: number | null };
}

const AAPL = { type: 'market', symbol: 'AAPL', timeframe: '1D' };

/** Monthly rows that repeat after a year and end now, without the month before the last one. */
const seasonalPoints = () => {
  const now = new Date();
  return Array.from({ length: 96 }, (_, i) => ({
    timestamp: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 96 + i)).toISOString(),
    value: 100 + i / 5 + 20 * Math.sin((i * Math.PI) / 6) + 2 * Math.sin(i * 1.7),
  })).filter((_, i) => i !== 94);
};

describe(`estimating a forecast [${testedKind}]`, () => {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(testedKind);
    // Keys are stored at their first use.
    await service.forecasts.guestNetworkKey();
    await create(await service.guest());
  });
  after(() => service?.[Symbol.asyncDispose]());

  const estimate = ({ request }: Pick<Caller, 'request'>, fields: object = {}) =>
    request<Estimate>('POST', `${FORECASTS}/estimate`, inlineRequest(fields));
  const usageOf = async ({ request }: Caller) => (await request<Usage>('GET', '/v1/me/usage')).data;

  /** Sends a request to both operations. Returns the fault, which must be the same. */
  async function refuse(caller: Caller, fields: object): Promise<string> {
    const before = await countRows(service.database);
    const estimated = await estimate(caller, fields);
    assert.deepEqual(await countRows(service.database), before, 'an estimate stores nothing');
    const created = await create(caller, fields);
    assert.deepEqual([estimated.status, estimated.body], [created.status, created.body]);
    return `${estimated.code} ${JSON.parse(estimated.body).error.message}`;
  }

  test('states the price that creating the forecast then costs, and stores nothing', async () => {
    const requests: Readonly<Record<string, object>> = {
      'a few rows': {},
      'manual weights': { models: undefined, weight_mode: 'manual', weights: { theta: 1, ets: 3 } },
      'one model': { models: ['seasonal_naive'], limit: 20, title: 'One' },
      'market bars': { source: AAPL, limit: 1_200, horizon: 30, cutoff: '2018-01-31T21:00:00Z' },
      'the default ensemble': { models: undefined, horizon: 12, source: { type: 'inline', points: seasonalPoints() } },
    };
    const callers = new Map<string, Caller>();
    for (const name of Object.keys(requests)) callers.set(name, await service.account());
    const before = await readTableVersions(service.database);
    const estimates = new Map<string, Estimate>();
    for (const [name, caller] of callers) {
      const { status, data, body } = await estimate(caller, requests[name]);
      assert.equal(status, 200, body);
      estimates.set(name, data);
    }
    assert.deepEqual(await readTableVersions(service.database), before);
    for (const [name, caller] of callers) {
      const estimated = estimates.get(name) as Estimate;
      assert.equal(estimated.credits_left, (await usageOf(caller)).credits.left);
      const created = await create(caller, requests[name]);
      assert.equal((await usageOf(caller)).credits.reserved, estimated.credits, name);
      const { data } = await caller.request<{
        settings: { models: string[]; frequency: string };
        snapshot: { rows: number };
      }>('GET', `${FORECASTS}/${created.data.forecast_id}`);
      const { models, frequency } = data.settings;
      const { credits, folds, rows } = estimated;
      assert.deepEqual([estimated.models, estimated.frequency, rows], [models, frequency, data.snapshot.rows]);
      assert.equal(credits, models.length * (folds + 2) * Math.ceil(rows / 1_000));
    }
  });

  test('detects the season that the forecast then has', async () => {
    const caller = await service.account();
    const runner = createInlineRunner(createModels({}));
    for (const points of [seasonalPoints(), dailyPoints()]) {
      const fields = { source: { type: 'inline', points }, horizon: 6, models: ['seasonal_naive'] };
      const { data } = await estimate(caller, fields);
      const result = await forecast(
        {
          cadence: { frequency: data.frequency, kind: 'plain' },
          timestamps: points.map(({ timestamp }) => Date.parse(timestamp)),
          values: points.map(({ value }) => value),
          horizon: 6,
          models: ['seasonal_naive'],
        },
        { runner },
      );
      assert.equal(data.season, result.season);
      assert.equal(data.season, points.length === 95 ? 12 : 1);
    }
  });

  test('warns of gaps, too few rows, extrapolated steps and old rows', async () => {
    const caller = await service.account();
    const warningsOf = async (fields: object) => (await estimate(caller, fields)).data.warnings;
    const recent = { source: { type: 'inline', points: seasonalPoints() } };
    assert.deepEqual(await warningsOf({ ...recent, horizon: 12 }), [
      'source: of 96 periods, one has no row. Send it if you have it; otherwise the models estimate it.',
    ]);
    const [gaps, extrapolated] = (await warningsOf({ ...recent, horizon: 40 })).toReversed();
    assert.match(gaps ?? '', /^source: of 96 periods/);
    assert.match(extrapolated ?? '', /^horizon: the past scores at most \d+ steps, .* extrapolated from step \d+ on\./);
    const old = await warningsOf({ limit: 6 });
    assert.deepEqual(
      old.map((warning) => warning.split(/[.,] /)[0]),
      [
        'weight_mode: 6 rows are too few to score the models on the past',
        'source: 6 rows are too few to measure the error on the past',
        'source: the last row is of 2024-02-09T00:00:00.000Z',
      ],
    );
    assert.match(old.at(-1) ?? '', /all 3 predicted periods are already over/);
    assert.deepEqual(await warningsOf({ cutoff: '2024-02-10T00:00:00Z' }), [], 'the caller has chosen a cutoff');
  });

  test('has no credits left for unlimited plans and for members, but for the owner of a workspace', async () => {
    const enterprise = await service.account('enterprise');
    assert.equal((await estimate(enterprise)).data.credits_left, null);
    const [owner, member] = [await service.account(), await service.account()];
    const { id: workspace_id } = await makeWorkspace(service.database, owner.accountId ?? '');
    await makeMember(service.database, workspace_id, member.accountId ?? '', { role: 'editor' });
    assert.equal((await estimate(owner, { workspace_id })).data.credits_left, 50_000);
    const { status, data } = await estimate(member, { workspace_id });
    assert.deepEqual([status, data.credits_left], [200, null]);
    assert.ok(data.credits > 0);
  });

  test('is refused like a creation: slots, credits, plan, visibility and source', async () => {
    const guest = await service.guest();
    assert.match(await refuse(guest, { visibility: 'public' }), /^ACCOUNT_REQUIRED visibility: /);
    assert.match(await refuse(guest, { horizon: 97 }), /^INVALID_REQUEST horizon: your plan/);
    const csv = {
      type: 'workspace_csv',
      workspace_id: 'ws_none',
      csv_id: 'csv_none',
      time_field: 't',
      value_field: 'v',
    };
    assert.match(
      await refuse(guest, { source: csv }),
      /^(ACCOUNT_REQUIRED|WORKSPACE_DENIED|INVALID_REQUEST|SOURCE_DENIED) /,
    );
    const many = dailyPoints(15_000, Date.UTC(1960, 0, 1));
    const [timestamps, values] = [many.map(({ timestamp }) => timestamp.slice(0, 10)), many.map((_, i) => i % 7)];
    const long = { source: { type: 'inline', timestamps, values } };
    const models = ['prophet', 'ets', 'theta', 'arima', 'seasonal_naive'];
    assert.match(await refuse(guest, { ...long, models }), /^QUOTA_EXCEEDED This forecast costs 525 credits; 500 of/);
    assert.equal((await estimate(guest)).status, 200);
    assert.equal((await create(guest)).status, 202);
    assert.match(await refuse(guest, {}), /^QUOTA_EXCEEDED You can have one forecast queued or running/);
    // A large body is refused before it is parsed.
    assert.match(await refuse(guest, long), /^QUOTA_EXCEEDED You can have one forecast queued or running/);
  });

  test('is refused like a creation in a workspace: the credits and the scope of a member', async () => {
    const { database } = service;
    const [owner, member] = [await service.account(), await service.account()];
    const { id: workspace_id } = await makeWorkspace(database, owner.accountId ?? '');
    const limitTo = (member_credits: number | null) =>
      owner.request('PATCH', `${WORKSPACES}/${workspace_id}`, { member_credits });
    const collaborator = await makeMember(database, workspace_id, member.accountId ?? '', { role: 'editor' });
    const { credits } = (await estimate(member, { workspace_id })).data;
    await limitTo(credits - 1);
    assert.match(
      await refuse(member, { workspace_id }),
      new RegExp(`^QUOTA_EXCEEDED member_credits: .* costs ${credits}\\.`),
    );
    await limitTo(credits);
    const before = await readTableVersions(database);
    assert.equal((await estimate(member, { workspace_id })).status, 200);
    assert.deepEqual(await readTableVersions(database), before, 'the rehearsal left nothing');
    const full = Array.from({ length: MAX_SCOPE_IDS }, (_, i) => `ef_${i}`);
    await sql`
      UPDATE workspace_member SET forecasts_scope_mode = 'selected', forecasts_scope_ids = ${full}::text[]
      WHERE id = ${collaborator}`.execute(database.query());
    assert.match(await refuse(member, { workspace_id }), /^LIMIT_REACHED Your resource scope/);
    assert.equal((await estimate(member, { workspace_id, visibility: 'private' })).status, 200);
  });

  test('is refused by a full storage like a creation, and frees nothing', async () => {
    const { accountId } = await service.account();
    const owner: Account = principalOf({ id: accountId ?? '', email: 'owner@example.org' });
    const body = ForecastRequestBody.parse(inlineRequest({ models: ['seasonal_naive'], limit: 30 }));
    const options = { idempotencyKey: null, network: null };
    const contextWith = (pro: number) =>
      simulateTime(service, { storage: { plans: { free: 1, pro, enterprise: 1 } } }).context;
    const failed = await createForecast(contextWith(1 << 20), owner, body, options);
    const time = simulateTime(service);
    await time.cancel(owner, failed);
    const { rows } = await sql<{ bytes: number }>`
      SELECT bytes::int AS bytes FROM stored_bytes WHERE payer = ${owner.accountId}`.execute(service.database.query());
    const one = rows[0]?.bytes ?? 0;
    const before = await readTableVersions(service.database);
    // One byte less than two: the snapshot of the failed forecast would be removed.
    await estimateForecast(contextWith(2 * one - 1), owner, body, options);
    // Less than what is stored already, and too little for another even without that snapshot.
    const tooSmall = contextWith(one - 1);
    const refusal = { code: 'LIMIT_REACHED', message: /^Your plan allows at most \d+ bytes/ };
    await assert.rejects(estimateForecast(tooSmall, owner, body, options), refusal);
    assert.deepEqual(await readTableVersions(service.database), before);
    const hasSnapshot = async () =>
      (await findForecast(time.context, owner, failed, 'forecast.read')).snapshot_id !== null;
    assert.equal(await hasSnapshot(), true);
    await createForecast(contextWith(2 * one - 1), owner, body, options);
    assert.equal(await hasSnapshot(), false);
    await assert.rejects(createForecast(tooSmall, owner, body, options), refusal);
  });
});

onOutcomes('an estimate sends no more requests to the provider than creating the forecast', async (scene) => {
  const options = { idempotencyKey: null, network: null };
  scene.bars.push(...makeBars('2023-01-01', '2026-03-04'));
  for (const fields of [{ limit: 50 }, { limit: 700 }, { limit: 100, cutoff: '2025-06-30T21:00:00Z' }]) {
    const body = ForecastRequestBody.parse({ source: STOCK, horizon: 5, models: ['theta'], ...fields });
    const count = async (run: () => Promise<unknown>) => {
      // Without the bars that the read before has stored.
      await sql`TRUNCATE bar_chunk, bar_series CASCADE`.execute(scene.context.database.query());
      const before = scene.requests;
      await run();
      return scene.requests - before;
    };
    const estimated = await count(() => estimateForecast(scene.context, scene.owner, body, options));
    const created = await count(() => createForecast(scene.context, scene.owner, body, options));
    assert.ok(created > 0 && estimated <= created, `${estimated} requests, and ${created} to create`);
  }
});
