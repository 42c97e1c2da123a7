import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORECAST_QUEUE, type ForecastJob } from '../../src/forecasts/index.ts';
import { create, eventually, openForecastService, type Person } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const kind = testedKind;
test(`waiting forecasts start by plan, then by age [${kind}]`, async () => {
  await using service = await openForecastService(kind);
  const pro = await service.account('pro');
  const callers: readonly Person[] = [
    await service.guest(),
    await service.account('free'),
    pro,
    await service.account('enterprise'),
    pro,
    await service.guest(),
  ];
  const made: string[] = [];
  for (const person of callers) made.push((await create(person)).data.forecast_id);
  const begun: string[] = [];
  // One worker, which has found all of them waiting.
  await service.queue.work<ForecastJob>(FORECAST_QUEUE, {}, async ({ data }) => {
    begun.push(data.forecast_id);
  });
  await eventually(
    async () => begun.length,
    (count) => count === made.length,
  );
  assert.deepEqual(
    begun.map((id) => made.indexOf(id)),
    [3, 2, 4, 1, 0, 5],
  );
});
