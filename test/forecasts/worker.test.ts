import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, startEngine } from '../../src/compute/index.ts';
import { checkLedger, isSound, startForecastWorker } from '../../src/forecasts/index.ts';
import { createLog } from '../../src/platform/index.ts';
import { eventually, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { createByHand, endOf, trueResult } from '../support/forecasts/run-by-hand.ts';
import { testedKind } from '../support/platform/database.ts';

const kind = testedKind;

/** Runs one forecast after the other with a worker whose engines the test makes; gives the ends. */
async function ends(count: number, start: () => Promise<Engine>) {
  await using service: ForecastService = await openForecastService(kind);
  const { database, queue, jobs } = service;
  const worker = await startForecastWorker({ ...jobs, queue, log: createLog('silent') }, start);
  const person = await service.account('enterprise');
  const found: Awaited<ReturnType<typeof endOf>>[] = [];
  try {
    while (found.length < count) {
      const id = await createByHand(service, person);
      const { job_id } = await database
        .query<{ forecast: { id: string; job_id: string } }>()
        .selectFrom('forecast')
        .select('job_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      found.push(
        await eventually(
          () => endOf(database, { id, job_id }),
          ({ status }) => status === 'completed' || status === 'failed',
        ),
      );
    }
    assert.ok(isSound(await checkLedger(database)));
    return found;
  } finally {
    await queue.stop({ timeoutMs: 1_000 });
    await worker.close();
  }
}

test('an engine that ended between two forecasts is started again', async () => {
  const engines: Engine[] = [];
  const found = await ends(2, async () => {
    const engine = await startEngine({ threads: 1 });
    engines.push(engine);
    return { ...engine, forecast: (request, options) => engine.forecast(request, options).finally(endFirst) };
  });
  function endFirst(): void {
    if (engines.length === 1) void engines[0]?.close();
  }
  assert.equal(engines.length, 2);
  assert.deepEqual(
    found.map(({ status, attempt }) => [status, attempt]),
    [
      ['completed', 1],
      ['completed', 1],
    ],
  );
});

test('an engine that ends under a forecast costs it an attempt, not its end', async () => {
  let started = 0;
  const [found] = await ends(1, async () => {
    const engine = await startEngine({ threads: 1 });
    started += 1;
    if (started > 1) return engine;
    const forecast: Engine['forecast'] = (request, options) => {
      const running = engine.forecast(request, options);
      void engine.close();
      return running;
    };
    return { ...engine, forecast };
  });
  assert.deepEqual([found?.status, found?.attempt, started], ['completed', 2, 2]);
});

test('a forecast that breaks every attempt is given up after three, by name', async () => {
  let asked = 0;
  const result = await trueResult();
  const forecast: Engine['forecast'] = async (request, { signal } = {}) => {
    if (signal?.aborted) throw signal.reason;
    asked += 1;
    if (asked <= 3) throw new Error(`The attempt broke on ${request.values.length} rows.`);
    return result;
  };
  const [lost, next] = await ends(2, async () => ({ models: [], forecast, close: async () => {} }));
  assert.partialDeepStrictEqual(lost, {
    status: 'failed',
    code: 'WORKER_LOST',
    attempt: 3,
    events: ['failed'],
    transfers: ['release'],
  });
  assert.partialDeepStrictEqual(next, { status: 'completed', attempt: 1 });
});
