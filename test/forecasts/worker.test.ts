import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, startEngine } from '../../src/compute/index.ts';
import { checkLedger, isLedgerSound, startForecastWorker } from '../../src/forecasts/index.ts';
import { createLog } from '../../src/platform/index.ts';
import { type ForecastService, openForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import {
  computeResult,
  createDirectly,
  fakeEngine,
  readOutcome,
  startRetries,
} from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';

const kind = testedKind;

/** Runs forecasts one after the other with a worker whose engines the test starts. Returns their outcomes. */
async function runForecasts(count: number, start: () => Promise<Engine>) {
  await using service: ForecastService = await openForecastService(kind);
  const { database, queue, forecasts: jobs } = service;
  const worker = await startForecastWorker({ ...jobs, queue, log: createLog('silent') }, start);
  const caller = await service.account('enterprise');
  const outcomes: Awaited<ReturnType<typeof readOutcome>>[] = [];
  try {
    while (outcomes.length < count) {
      const id = await createDirectly(service, caller);
      const { job_id } = await database
        .query<{ forecast: { id: string; job_id: string } }>()
        .selectFrom('forecast')
        .select('job_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      outcomes.push(
        await waitFor(
          async () => {
            await startRetries(service);
            return readOutcome(database, { id, job_id });
          },
          ({ status }) => status === 'completed' || status === 'failed',
        ),
      );
    }
    assert.ok(isLedgerSound(await checkLedger(database)));
    return outcomes;
  } finally {
    await queue.stop({ timeoutMs: 1_000 });
    await worker.close();
  }
}

test('starts a new engine after one that ended between two forecasts', async () => {
  let started = 0;
  const result = await computeResult();
  const found = await runForecasts(2, async () => {
    started += 1;
    let isOpen = true;
    const endFirst = async () => {
      isOpen = started > 1;
      return result;
    };
    return { ...fakeEngine(endFirst), isOpen: () => isOpen };
  });
  assert.equal(started, 2);
  assert.deepEqual(
    found.map(({ status, attempt }) => [status, attempt]),
    [
      ['completed', 1],
      ['completed', 1],
    ],
  );
});

test('an engine that ends during a forecast costs one attempt', async () => {
  let started = 0;
  const result = await computeResult();
  const [found] = await runForecasts(1, async () => {
    started += 1;
    if (started > 1) return fakeEngine(async () => result);
    const engine = await startEngine({ threads: 1 });
    const forecast: Engine['forecast'] = (request, options) => {
      const running = engine.forecast(request, options);
      void engine.close();
      return running;
    };
    return { ...engine, forecast };
  });
  assert.deepEqual([found?.status, found?.attempt, started], ['completed', 2, 2]);
});

test('fails a forecast with WORKER_LOST after three broken attempts', async () => {
  let calls = 0;
  const result = await computeResult();
  const forecast: Engine['forecast'] = async (request, { signal } = {}) => {
    if (signal?.aborted) throw signal.reason;
    calls += 1;
    if (calls <= 3) throw new Error(`The attempt broke on ${request.values.length} rows.`);
    return result;
  };
  const [lost, next] = await runForecasts(2, async () => fakeEngine(forecast));
  assert.partialDeepStrictEqual(lost, {
    status: 'failed',
    code: 'WORKER_LOST',
    attempt: 3,
    events: ['failed'],
    transfers: ['release'],
  });
  assert.partialDeepStrictEqual(next, { status: 'completed', attempt: 1 });
});
