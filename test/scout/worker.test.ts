import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCOUT_QUEUE } from '../../src/scout/index.ts';
import { buildRule } from '../../src/scout/rules/accept-rule.ts';
import { findObservedPeriod } from '../../src/scout/rules/observed-period.ts';
import { openForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { EVENTS, type EventView, makeEvent, type ResolutionView } from '../support/scout/events.ts';

const SOURCE = { type: 'market', symbol: '^GSPC', timeframe: '1D' } as const;

test('resolves a due event in the worker, with evidence that can be fetched', async () => {
  await using service = await openForecastService(testedKind, { worker: true });
  const { ask, accountId } = await service.account();
  const period = findObservedPeriod({ frequency: '1D', kind: 'exchange' }, Date.UTC(2015, 5, 5));
  assert.ok(period);
  const rule = buildRule({ type: 'threshold', source: SOURCE, op: 'lt', threshold: 2_000, settle_days: 0 }, period);
  // Published in 2015, when the outcome was not known.
  const publishedAt = new Date('2015-06-01T12:00:00Z');
  const { id } = await makeEvent(service.database, { author: accountId ?? '', probability: 0.1, rule }, publishedAt);
  await service.queue.enqueue(service.database, SCOUT_QUEUE.name, {});
  const { data } = await waitFor(
    () => ask<EventView>('GET', `${EVENTS}/${id}`),
    (reply) => reply.data.status !== 'pending',
    20_000,
  );
  assert.deepEqual([data.status, data.check], ['resolved_no', null]);
  const resolution = (await ask<ResolutionView>('GET', `${EVENTS}/${id}/resolution`)).data;
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
