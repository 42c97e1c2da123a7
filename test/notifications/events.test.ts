import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { z } from 'zod';
import { WEBHOOK_EVENT_TYPES, type WebhookDelivery, type WebhookWithSecret } from '../../src/contract/index.ts';
import { dispatchEvents, oldDeliveries, queueLostAttempts } from '../../src/notifications/index.ts';
import { oldOutboxEvents, recordOutboxEvents, removeInBatches, systemClock } from '../../src/platform/index.ts';
import { recordStamps } from '../../src/provenance/receipts/record-stamps.ts';
import { runDueSessions } from '../../src/screener/run/run-due.ts';
import { completeForecast } from '../support/feeds/feed-scene.ts';
import { create, FORECASTS, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { DAY } from '../support/identity/identity.ts';
import { barsEndingAt, bulkProvider } from '../support/market/bulk-provider.ts';
import { LOOPBACK, openWebhookScene, WEBHOOK_DATABASE } from '../support/notifications/webhook-scene.ts';
import { forEachDatabase, testedKind } from '../support/platform/database.ts';
import { EVENTS, type EventView, eventRequest, YES } from '../support/scout/events.ts';
import { makeFilter } from '../support/screener/filters.ts';
import { openRunScene } from '../support/screener/run-scene.ts';
import { type KeyHolder, makeMember, makeWorkspace, register } from '../support/workspaces/workspaces.ts';

type Delivery = z.output<typeof WebhookDelivery>;

const HOOKS = '/v1/me/webhooks';
const URL = 'https://receiver.example/hook';

let service: ForecastService;

/** Makes a webhook with every type that its place allows. Returns a function that reads the payloads it gets. */
async function listen(caller: KeyHolder, path = HOOKS) {
  const types = WEBHOOK_EVENT_TYPES.filter((type) => path === HOOKS || type !== 'screener.matched');
  const { data } = await caller.request<z.output<typeof WebhookWithSecret>>('POST', path, { url: URL, types });
  return async () => {
    while ((await dispatchEvents({ ...service, clock: systemClock })) > 0);
    const page = await caller.request<{ deliveries: Delivery[] }>('GET', `${path}/${data.id}/deliveries?limit=100`);
    return page.data.deliveries.map(({ payload }) => payload).sort((one, other) => one.sequence - other.sequence);
  };
}

describe(`events of webhooks [${testedKind}]`, () => {
  before(async () => {
    service = await openForecastService(testedKind, { environment: { ALMANAC_OUTBOUND_ALLOW: LOOPBACK.join(',') } });
  });
  after(() => service?.[Symbol.asyncDispose]());

  test('a completed, a canceled and a scored forecast', async () => {
    const caller = await register(service);
    const read = await listen(caller);
    const { id } = await completeForecast(service, caller);
    const canceled = (await create(caller)).data.forecast_id;
    await caller.request('POST', `${FORECASTS}/${canceled}/cancel`);
    await caller.request('POST', `${FORECASTS}/${canceled}/cancel`);
    const { data } = await caller.request<{ predictions: { timestamp: string }[] }>('GET', `${FORECASTS}/${id}`);
    const points = data.predictions.map(({ timestamp }) => ({ timestamp, value: 118 }));
    const partial = await caller.request('POST', `${FORECASTS}/${id}/outcome`, { points: points.slice(0, 1) });
    assert.equal(partial.status, 200, partial.body);
    const complete = await caller.request('POST', `${FORECASTS}/${id}/outcome`, { points: points.slice(1) });
    assert.equal(complete.status, 200, complete.body);

    const payloads = await read();
    assert.deepEqual(
      payloads.map(({ type, data, sequence }) => [sequence, type, data]),
      [
        [1, 'forecast.completed', { forecast_id: id, status: 'completed', result_url: `/api${FORECASTS}/${id}` }],
        [2, 'forecast.failed', { forecast_id: canceled, status: 'failed', result_url: `/api${FORECASTS}/${canceled}` }],
        [3, 'forecast.outcome', { forecast_id: id, status: 'complete', result_url: `/api${FORECASTS}/${id}/outcome` }],
      ],
    );
    for (const { data } of payloads) {
      const { result_url } = data as { result_url: string };
      assert.equal((await caller.request('GET', result_url.slice('/api'.length))).status, 200, result_url);
    }
    assert.deepEqual(await read(), payloads, 'dispatching again adds nothing');
  });

  test('a resolved event, and the stamp of its revision', async () => {
    const caller = await register(service);
    const read = await listen(caller);
    const { data: event } = await caller.request<EventView>('POST', EVENTS, eventRequest());
    const id = event.forecast_id;
    assert.equal((await caller.request('POST', `${EVENTS}/${id}/resolve`, YES)).status, 200);
    const revisions = await sql<{ id: string }>`SELECT id FROM event_revision WHERE event_id = ${id}`.execute(
      service.database.query(),
    );
    await service.database.transaction((tx) =>
      recordOutboxEvents(tx, 'receipt.stamped', [{ subject: revisions.rows[0]?.id ?? '' }], new Date()),
    );
    const payloads = (await read()).map(({ type, data }) => [type, data]);
    assert.equal(payloads.length, 2);
    assert.deepEqual(payloads[0], [
      'event.resolved',
      { forecast_id: id, status: 'resolved_yes', resolution_url: `/api${EVENTS}/${id}/resolution` },
    ]);
    assert.deepEqual(payloads.at(-1), [
      'receipt.stamped',
      { forecast_id: id, status: 'stamped', result_url: `/api${EVENTS}/${id}` },
    ]);
    assert.equal((await caller.request('GET', `${EVENTS}/${id}/resolution`)).status, 200);
  });

  test('the stamp of a forecast', async () => {
    const caller = await register(service);
    const read = await listen(caller);
    const { id } = await completeForecast(service, caller);
    await service.database.transaction(async (tx) => {
      const cid = `0x${'ab'.repeat(32)}`;
      await sql`INSERT INTO proof (content_cid, kind, subject, created_at) VALUES (${cid}, 'forecast', ${id}, now())
        ON CONFLICT DO NOTHING`.execute(tx.query());
      const hash = `0x${'cd'.repeat(32)}`;
      const stamp = {
        contentCid: cid,
        setCid: hash,
        transactionHash: hash,
        userAddress: null,
        chainId: 1,
        timestamp: new Date(),
      };
      assert.equal(await recordStamps(tx, [stamp], new Date()), 1);
    });
    const last = (await read()).at(-1);
    assert.deepEqual(
      [last?.type, last?.data],
      ['receipt.stamped', { forecast_id: id, status: 'stamped', result_url: `/api${FORECASTS}/${id}` }],
    );
  });

  test('a webhook of a workspace gets what members can see, and one of an account its own', async () => {
    const [owner, editor] = [await register(service), await register(service)];
    const { id: workspace } = await makeWorkspace(service.database, owner.id);
    await makeMember(service.database, workspace, editor.id, { role: 'editor' });
    const ofWorkspace = await listen(owner, `/v1/workspaces/${workspace}/webhooks`);
    const [ofOwner, ofEditor] = [await listen(owner), await listen(editor)];
    const inWorkspace = { workspace_id: workspace, visibility: 'workspace' };
    const shared = await completeForecast(service, editor, inWorkspace);
    const hidden = await completeForecast(service, editor, { workspace_id: workspace, visibility: 'private' });
    const own = await completeForecast(service, owner);
    const idsOf = async (read: typeof ofOwner) =>
      (await read()).map(({ data }) => (data as { forecast_id: string }).forecast_id);
    assert.deepEqual(await idsOf(ofWorkspace), [shared.id]);
    assert.deepEqual(await idsOf(ofEditor), [shared.id, hidden.id]);
    assert.deepEqual(await idsOf(ofOwner), [own.id]);

    // A member that has left gets nothing more about the workspace.
    const late = (await create(editor, inWorkspace)).data.forecast_id;
    await sql`DELETE FROM workspace_member WHERE workspace_id = ${workspace} AND account_id = ${editor.id}`.execute(
      service.database.query(),
    );
    assert.equal((await owner.request('POST', `${FORECASTS}/${late}/cancel`)).status, 200);
    assert.deepEqual(await idsOf(ofWorkspace), [shared.id, late]);
    assert.deepEqual(await idsOf(ofEditor), [shared.id, hidden.id]);
  });

  test('gets only the types it chose, from the time it was created', async () => {
    const caller = await register(service);
    const cancel = async () => {
      const id = (await create(caller)).data.forecast_id;
      assert.equal((await caller.request('POST', `${FORECASTS}/${id}/cancel`)).status, 200);
      return id;
    };
    await cancel();
    const { data } = await caller.request<{ id: string }>('POST', HOOKS, { url: URL, types: ['forecast.failed'] });
    await completeForecast(service, caller);
    const later = await cancel();
    while ((await dispatchEvents({ ...service, clock: systemClock })) > 0);
    const page = await caller.request<{ deliveries: Delivery[] }>('GET', `${HOOKS}/${data.id}/deliveries`);
    assert.deepEqual(
      page.data.deliveries.map(({ payload }) => (payload.data as { forecast_id: string }).forecast_id),
      [later],
    );
  });
});

forEachDatabase('concurrent dispatchers deliver each event once, without a gap', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  const caller = await scene.account();
  const hooks = [await scene.webhook(caller, URL), await scene.webhook(caller, URL)];
  const filterId = await scene.filter(caller);
  const record = (count: number) =>
    fixture.database.transaction((tx) =>
      recordOutboxEvents(
        tx,
        'screener.matched',
        Array.from({ length: count }, () => ({ subject: filterId, details: { session: '2026-03-02' } })),
        scene.clock.now(),
      ),
    );
  await Promise.all([record(150), record(100), record(1)]);
  const dispatchAll = async () => {
    while ((await scene.dispatch()) > 0);
  };
  await Promise.all([dispatchAll(), dispatchAll(), dispatchAll()]);
  for (const { webhook } of hooks) {
    const deliveries = await scene.deliveries(webhook.id);
    assert.equal(new Set(deliveries.map(({ event_id }) => event_id)).size, 251);
    const sequences = deliveries.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);
    assert.deepEqual(
      sequences,
      Array.from({ length: 251 }, (_, i) => i + 1),
    );
  }
  const { rows } = await sql<{ jobs: number }>`
    SELECT count(*)::int AS jobs FROM queue.job WHERE name = 'webhooks'`.execute(fixture.database.query());
  assert.equal(rows[0]?.jobs, 502);
});

forEachDatabase('a run of the screener records each filter with matches once', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  const caller = await scene.account();
  scene.clock.advance(-2 * 365 * DAY);
  const { webhook } = await scene.webhook(caller, URL);
  const provider = bulkProvider({ LOW: barsEndingAt('2024-03-27', Array(26).fill(5)) });
  const run = openRunScene(fixture, [provider]);
  const matching = await makeFilter(fixture.database, caller.accountId, {
    all: [{ field: 'close', op: 'gt', value: 1 }],
  });
  await makeFilter(fixture.database, caller.accountId, { all: [{ field: 'close', op: 'lt', value: 1 }] });
  run.setTime('2024-03-27T20:30:00Z');
  for (let i = 0; i < 4; i++) await runDueSessions(run.context);
  await scene.dispatch();
  const data = (await scene.deliveries(webhook.id)).map(({ body }) => JSON.parse(body).data);
  assert.deepEqual(
    data.map(({ alert_id, session }) => [alert_id, session]),
    [[matching.id, '2024-03-27']],
  );
});

forEachDatabase('a rollback records no event', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  const caller = await scene.account();
  const { webhook } = await scene.webhook(caller, URL);
  const filterId = await scene.filter(caller);
  await assert.rejects(
    fixture.database.transaction(async (tx) => {
      await recordOutboxEvents(tx, 'screener.matched', [{ subject: filterId }], scene.clock.now());
      throw new Error('no');
    }),
    /no/,
  );
  await scene.dispatch();
  assert.deepEqual(await scene.deliveries(webhook.id), []);
});

forEachDatabase('removes old deliveries, and queues attempts whose job was lost', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  const caller = await scene.account();
  const { webhook } = await scene.webhook(caller, URL);
  const filterId = await scene.filter(caller);
  await scene.match(filterId);
  await scene.dispatch();
  const jobs = async () =>
    (await sql<{ id: string }>`SELECT id FROM queue.job WHERE name = 'webhooks'`.execute(fixture.database.query()))
      .rows;
  await sql`DELETE FROM queue.job`.execute(fixture.database.query());
  const clean = async () => {
    const now = scene.clock.now();
    await queueLostAttempts(scene.context);
    const removals = [...oldDeliveries(30, now), ...oldOutboxEvents(now)];
    await removeInBatches({ ...fixture, signal: new AbortController().signal }, removals);
  };
  await clean();
  assert.equal((await jobs()).length, 0, 'not before half an hour has passed');
  scene.clock.advance(DAY / 24);
  await clean();
  await clean();
  assert.equal((await jobs()).length, 1);
  scene.clock.advance(31 * DAY);
  await clean();
  const [waiting, ...others] = await scene.deliveries(webhook.id);
  assert.deepEqual([waiting?.state, others], ['pending', []], 'it waits for an attempt, because no worker ran');
  assert.ok(waiting);
  await scene.attempt(waiting.id);
  assert.equal((await scene.read(waiting.id)).state, 'failed');
  await clean();
  assert.deepEqual(await scene.deliveries(webhook.id), []);
  const { rows } = await sql`SELECT FROM outbox_event`.execute(fixture.database.query());
  assert.equal(rows.length, 0);
});
