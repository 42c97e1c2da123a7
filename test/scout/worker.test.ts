import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findObservedPeriod } from '../../src/calendar/index.ts';
import { SCOUT_QUEUE } from '../../src/scout/index.ts';
import { buildRule } from '../../src/scout/rules/accept-rule.ts';
import { type ForecastService, openForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { EVENTS, type EventView, makeEvent, type ResolutionView } from '../support/scout/events.ts';

const SOURCE = { type: 'market', symbol: '^GSPC', timeframe: '1D' } as const;

/** Publishes an event in 2015, when its outcome was not known, with a rule on a close of 2015. */
async function makeDueEvent(service: ForecastService, author: string): Promise<{ id: string }> {
  const period = findObservedPeriod({ frequency: '1D', kind: 'exchange' }, Date.UTC(2015, 5, 5));
  assert.ok(period);
  const rule = buildRule({ type: 'threshold', source: SOURCE, op: 'lt', threshold: 2_000, settle_days: 0 }, period);
  const publishedAt = new Date('2015-06-01T12:00:00Z');
  return makeEvent(service.database, { author, probability: 0.1, rule }, publishedAt);
}

test('resolves a due event in the worker, with evidence that can be fetched', async () => {
  await using service = await openForecastService(testedKind, { worker: true });
  const { request, accountId } = await service.account();
  const { id } = await makeDueEvent(service, accountId ?? '');
  await service.queue.enqueue(service.database, SCOUT_QUEUE.name, {});
  const { data } = await waitFor(
    () => request<EventView>('GET', `${EVENTS}/${id}`),
    (reply) => reply.data.status !== 'pending',
    20_000,
  );
  assert.deepEqual([data.status, data.check], ['resolved_no', null]);
  const resolution = (await request<ResolutionView>('GET', `${EVENTS}/${id}/resolution`)).data;
  assert.deepEqual([resolution.resolved_by, resolution.probability], ['rule', 0.1]);
  const { snapshot_id, observation, provider } = resolution.evidence ?? {};
  assert.deepEqual([provider, observation?.timestamp], ['bundled', '2015-06-05T00:00:00.000Z']);
  assert.equal(resolution.resolution_rule?.observed_at, observation?.timestamp);
  const rows = await service.app.inject({
    method: 'POST',
    url: '/api/v1/market-search/observations',
    headers: (await service.account()).credentials,
    payload: { source: SOURCE, snapshot_id },
  });
  const last = rows.json().rows.at(-1);
  assert.deepEqual(last, { timestamp: observation?.timestamp, value: observation?.value });
});

test('does not resolve an event in the worker by a series under a denied license', async () => {
  const license = 'BSD-3-Clause (the package); no license is stated for the data from Yahoo Finance';
  const environment = { ALMANAC_DENIED_LICENSES: license };
  await using service = await openForecastService(testedKind, { worker: true, environment });
  const { request, accountId } = await service.account();
  const { id } = await makeDueEvent(service, accountId ?? '');
  await service.queue.enqueue(service.database, SCOUT_QUEUE.name, {});
  const { data } = await waitFor(
    () => request<EventView>('GET', `${EVENTS}/${id}`),
    (reply) => reply.data.status !== 'pending' || reply.data.check?.state !== 'waiting',
    20_000,
  );
  assert.equal(data.status, 'pending');
  assert.equal(data.check?.state, 'provider_failed');
  assert.match(data.check?.message ?? '', /license "BSD-3-Clause \(the package\); no licen.e is stated/);
});
