import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORECAST_QUEUE, type ForecastJob } from '../../src/forecasts/index.ts';
import { type Caller, create, openForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const kind = testedKind;
test(`queued forecasts start by plan, then by age [${kind}]`, async () => {
  await using service = await openForecastService(kind);
  const pro = await service.account('pro');
  const callers: readonly Caller[] = [
    await service.guest(),
    await service.account('free'),
    pro,
    await service.account('enterprise'),
    pro,
    await service.guest(),
  ];
  const created: string[] = [];
  for (const caller of callers) created.push((await create(caller)).data.forecast_id);
  const started: string[] = [];
  // One worker, which starts after all of them are queued.
  await service.queue.work<ForecastJob>(FORECAST_QUEUE, {}, async ({ data }) => {
    started.push(data.forecast_id);
  });
  await waitFor(
    async () => started.length,
    (count) => count === created.length,
  );
  assert.deepEqual(
    started.map((id) => created.indexOf(id)),
    [3, 2, 4, 1, 0, 5],
  );
});
