import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, afterEach, before, describe, test } from 'node:test';
import { ForecastError, type ForecastResult } from '../../src/engine/index.ts';
import { cancelUnfinished, checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import type { ForecastView } from '../../src/forecasts/view-forecast.ts';
import { createLog } from '../../src/platform/index.ts';
import {
  type Caller,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import {
  activateJob,
  computeResult,
  createDirectly,
  readOutcome,
  runAttempt,
} from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';

const COMPLETED = { status: 'completed', code: null, events: ['completed'], transfers: ['capture'], job: 'completed' };
const FAILED = { status: 'failed', season: null, events: ['failed'], transfers: ['release'], job: 'completed' };
const UNFINISHED = { status: 'running', code: null, events: [], transfers: [], job: 'active' };

const kind = testedKind;
describe(`the outcome of an attempt [${kind}]`, () => {
  let service: ForecastService;
  let caller: Caller;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService(kind);
    caller = await service.account('enterprise');
    result = await computeResult();
  });
  after(() => service?.[Symbol.asyncDispose]());
  afterEach(async () => {
    const report = await checkLedger(service.database);
    assert.ok(isLedgerSound(report), JSON.stringify(report));
  });

  const createActive = async () => activateJob(service.database, await createDirectly(service, caller));
  const outcome = (forecast: Awaited<ReturnType<typeof createActive>>) => readOutcome(service.database, forecast);

  test('stores a result', async () => {
    const forecast = await createActive();
    await runAttempt(service, forecast, async () => result);
    assert.partialDeepStrictEqual(await outcome(forecast), COMPLETED);
  });

  test('logs the forecast and the number of searches that the guard ended', async () => {
    const forecast = await createActive();
    const lines: string[] = [];
    const log = createLog(
      'warn',
      new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
    );
    const runEngine: Parameters<typeof runAttempt>[2] = async (_, options) => {
      options?.onEndedSearches?.(2);
      return result;
    };
    await runAttempt(service, forecast, runEngine, { log });
    assert.partialDeepStrictEqual(
      lines.map((line) => JSON.parse(line)),
      [{ forecast: forecast.id, searches: 2 }],
    );
  });

  test('shows a failed member model with its error', async () => {
    const forecast = await createActive();
    const error = { code: 'NOT_CONVERGED', message: 'The forecast leaves the range of numbers.' } as const;
    const members = result.members.map((member) =>
      member.model === 'ets' ? { ...member, status: 'failed' as const, error, predictions: [] } : member,
    );
    await runAttempt(service, forecast, async () => ({ ...result, members }));
    const { data } = await caller.request<ForecastView>('GET', `${FORECASTS}/${forecast.id}`);
    assert.equal(data.status, 'completed');
    assert.deepEqual(
      data.members?.map((member) => [member.model, member.status, member.error]),
      [
        ['ets', 'failed', error],
        ['theta', 'completed', null],
      ],
    );
  });

  test('fails with the code of an engine error', async () => {
    const forecast = await createActive();
    await runAttempt(service, forecast, async () => {
      throw new ForecastError('ALL_MODELS_FAILED', 'No model could be fitted.');
    });
    assert.partialDeepStrictEqual(await outcome(forecast), { ...FAILED, code: 'ALL_MODELS_FAILED' });
  });

  test('fails with TIMED_OUT at the time limit', async () => {
    const forecast = await createActive();
    await runAttempt(service, forecast, (_, options) => untilAborted(options?.signal), { limitMs: 50 });
    assert.partialDeepStrictEqual(await outcome(forecast), { ...FAILED, code: 'TIMED_OUT' });
  });

  test('throws an unexpected error, and the next attempt completes the forecast', async () => {
    const forecast = await createActive();
    const broken = runAttempt(service, forecast, async () => {
      throw new Error('The engine has ended.');
    });
    await assert.rejects(broken, /engine has ended/);
    assert.partialDeepStrictEqual(await outcome(forecast), { ...UNFINISHED, attempt: 1 });
    await activateJob(service.database, forecast.id, 1);
    await runAttempt(service, forecast, async () => result, { attempt: 1 });
    assert.partialDeepStrictEqual(await outcome(forecast), { ...COMPLETED, attempt: 2 });
  });

  test('a cancellation aborts the engine and ends the attempt without an error', async () => {
    const forecast = await createActive();
    const started = Promise.withResolvers<AbortSignal | undefined>();
    const running = runAttempt(service, forecast, (_, options) => {
      started.resolve(options?.signal);
      return untilAborted(options?.signal);
    });
    const signal = await started.promise;
    await cancelUnfinished(service.forecasts, forecast);
    await running;
    assert.equal(signal?.aborted, true);
    assert.partialDeepStrictEqual(await outcome(forecast), { ...FAILED, code: 'FORECAST_CANCELED', job: 'cancelled' });
  });

  test('discards a result that arrives after a cancellation', async () => {
    const forecast = await createActive();
    await runAttempt(service, forecast, async () => {
      await cancelUnfinished(service.forecasts, forecast);
      return result;
    });
    assert.partialDeepStrictEqual(await outcome(forecast), { ...FAILED, code: 'FORECAST_CANCELED', job: 'cancelled' });
  });

  test('does not run a forecast that has ended', async () => {
    const forecast = await createActive();
    await cancelUnfinished(service.forecasts, forecast);
    await runAttempt(service, forecast, () => assert.fail('The engine was called.'));
    assert.partialDeepStrictEqual(await outcome(forecast), { status: 'failed', attempt: 0, events: ['failed'] });
  });
});

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
