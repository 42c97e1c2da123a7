import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkLedger,
  FORECAST_QUEUE,
  type ForecastJob,
  isLedgerSound,
  runForecast,
} from '../../src/forecasts/index.ts';
import { countUnpaidCpu, readUnpaidCpu } from '../../src/forecasts/metering/unpaid-cpu.ts';
import { createLog } from '../../src/platform/index.ts';
import {
  type Caller,
  create,
  dailyPoints,
  FORECASTS,
  type ForecastService,
  openForecastService,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import { computeResult, fakeEngine } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';

const kind = testedKind;
test(`queued forecasts start by plan, then by the number of their payer, then by age [${kind}]`, async () => {
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

async function createAll(caller: Caller, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await create(caller)).data.forecast_id);
  return ids;
}

test(`a small forecast waits for at most one waiting forecast of a payer that has queued many [${kind}]`, async () => {
  await using service: ForecastService = await openForecastService(kind);
  const result = await computeResult();
  const log = createLog('silent');
  const started: string[] = [];
  const finished: string[] = [];
  const [greedy, bystander] = [await service.account('pro'), await service.account('pro')];
  const first = Promise.withResolvers<void>();
  await service.queue.work<ForecastJob>(FORECAST_QUEUE, {}, async (job) => {
    started.push(job.data.forecast_id);
    const engine = fakeEngine(async () => {
      // The bystander comes while the first forecast of the other payer runs.
      if (finished.length === 0) await first.promise;
      return result;
    });
    await runForecast({ ...service.forecasts, engine, log, limitMs: 60_000 }, job);
    finished.push(job.data.forecast_id);
  });
  const many = await createAll(greedy, 4);
  const [small] = await createAll(bystander, 1);
  const running = [...started];
  first.resolve();
  await waitFor(
    async () => finished.length,
    (count) => count === 5,
  );
  const ahead = finished.slice(0, finished.indexOf(small as string)).filter((id) => !running.includes(id));
  assert.ok(ahead.length <= 1, `the small forecast waited for ${ahead.length}`);
  assert.deepEqual(finished.filter((id) => id !== small).toSorted(), many.toSorted());
});

test(`a payer beyond its budget of unpaid CPU comes last of its plan, one at a time [${kind}]`, async () => {
  await using service: ForecastService = await openForecastService(kind);
  const { database, forecasts } = service;
  const [greedy, bystander, free] = [
    await service.account('pro'),
    await service.account('pro'),
    await service.account('free'),
  ];
  const payer = greedy.accountId as string;
  const now = forecasts.clock.now();
  await countUnpaidCpu(database, { id: 'ef_removed', payer }, forecasts.unpaidCpuSeconds - 1, now);
  await countUnpaidCpu(database, { id: 'ef_removed', payer }, 2, now);
  assert.equal(await readUnpaidCpu(database, payer, now), forecasts.unpaidCpuSeconds + 1);
  assert.equal(await readUnpaidCpu(database, payer, new Date(now.getTime() + 3_600_000)), 0, 'for this hour only');
  const last = await createAll(greedy, 3);
  const [slow] = await createAll(free, 1);
  const others = await createAll(bystander, 2);
  const started: string[] = [];
  let active = 0;
  let maxActive = 0;
  await service.queue.work<ForecastJob>(FORECAST_QUEUE, { concurrency: 2 }, async ({ data }) => {
    started.push(data.forecast_id);
    const isOfGreedy = last.includes(data.forecast_id);
    if (isOfGreedy) maxActive = Math.max(maxActive, ++active);
    // The other worker takes the next one meanwhile.
    const next = started.length <= 2 ? 2 : 4;
    await waitFor(
      async () => started.length,
      (count) => count >= next,
    );
    if (isOfGreedy) active--;
  });
  await waitFor(
    async () => started.length,
    (count) => count === 6,
  );
  assert.deepEqual(started.slice(0, 2).toSorted(), others.toSorted());
  assert.ok(started.indexOf(slow as string) <= 3, 'the other worker takes a forecast of the next plan meanwhile');
  assert.equal(maxActive, 1);
});

test(`the CPU of a canceled run counts for its payer, and its credits are released [${kind}]`, async () => {
  await using service: ForecastService = await openForecastService(kind, { worker: true });
  const { database, forecasts } = service;
  const caller = await service.account('pro');
  const payer = caller.accountId as string;
  const source = { type: 'inline', points: dailyPoints(5_000) };
  const id = (await create(caller, { source, horizon: 30, models: undefined })).data.forecast_id;
  await waitFor(
    async () => (await caller.request<{ status: string }>('GET', `${FORECASTS}/${id}`)).data.status,
    (status) => status === 'running',
  );
  await caller.request('POST', `${FORECASTS}/${id}/cancel`);
  const seconds = await waitFor(
    () => readUnpaidCpu(database, payer, forecasts.clock.now()),
    (count) => count > 0,
  );
  assert.ok(seconds < 600);
  const usage = await caller.request<{ credits: { reserved: number; used: number } }>('GET', '/v1/me/usage');
  assert.partialDeepStrictEqual(usage.data.credits, { reserved: 0, used: 0 });
  assert.ok(isLedgerSound(await checkLedger(database)));
});
