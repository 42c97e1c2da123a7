import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ForecastError, type ForecastResult } from '../../src/engine/index.ts';
import { cancelForecast, checkLedger, isSound } from '../../src/forecasts/index.ts';
import type { ForecastView } from '../../src/forecasts/view-forecast.ts';
import {
  FORECASTS,
  type ForecastService,
  openForecastService,
  type Person,
} from '../support/forecasts/forecast-service.ts';
import { createByHand, endOf, runByHand, takeJob, trueResult } from '../support/forecasts/run-by-hand.ts';
import { testedKind } from '../support/platform/database.ts';

const COMPLETED = { status: 'completed', code: null, events: ['completed'], transfers: ['capture'], job: 'completed' };
const FAILED = { status: 'failed', season: null, events: ['failed'], transfers: ['release'], job: 'completed' };
const UNFINISHED = { status: 'running', code: null, events: [], transfers: [], job: 'active' };

const kind = testedKind;
describe(`what an attempt can come to [${kind}]`, () => {
  let service: ForecastService;
  let person: Person;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService(kind);
    person = await service.account('enterprise');
    result = await trueResult();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const taken = async () => takeJob(service.database, await createByHand(service, person));
  const end = (forecast: Awaited<ReturnType<typeof taken>>) => endOf(service.database, forecast);

  test('a result', async () => {
    const forecast = await taken();
    await runByHand(service, forecast, async () => result);
    assert.partialDeepStrictEqual(await end(forecast), COMPLETED);
  });

  test('a result without one of the models: the view names it and says why', async () => {
    const forecast = await taken();
    const error = { code: 'NOT_CONVERGED', message: 'The forecast leaves the range of numbers.' } as const;
    const members = result.members.map((member) =>
      member.model === 'ets' ? { ...member, status: 'failed' as const, error, predictions: [] } : member,
    );
    await runByHand(service, forecast, async () => ({ ...result, members }));
    const { data } = await person.ask<ForecastView>('GET', `${FORECASTS}/${forecast.id}`);
    assert.equal(data.status, 'completed');
    assert.deepEqual(
      data.members?.map((member) => [member.model, member.status, member.error]),
      [
        ['ets', 'failed', error],
        ['theta', 'completed', null],
      ],
    );
  });

  test('a refusal of the engine, by its name', async () => {
    const forecast = await taken();
    await runByHand(service, forecast, async () => {
      throw new ForecastError('ALL_MODELS_FAILED', 'No model could be fitted.');
    });
    assert.partialDeepStrictEqual(await end(forecast), { ...FAILED, code: 'ALL_MODELS_FAILED' });
  });

  test('no time left', async () => {
    const forecast = await taken();
    await runByHand(service, forecast, (_, options) => untilAborted(options?.signal), { limitMs: 50 });
    assert.partialDeepStrictEqual(await end(forecast), { ...FAILED, code: 'TIMED_OUT' });
  });

  test('something that another attempt may mend: thrown, and the next attempt completes it', async () => {
    const forecast = await taken();
    const broken = runByHand(service, forecast, async () => {
      throw new Error('The engine has ended.');
    });
    await assert.rejects(broken, /engine has ended/);
    assert.partialDeepStrictEqual(await end(forecast), { ...UNFINISHED, attempt: 1 });
    await takeJob(service.database, forecast.id, 1);
    await runByHand(service, forecast, async () => result, { attempt: 1 });
    assert.partialDeepStrictEqual(await end(forecast), { ...COMPLETED, attempt: 2 });
  });

  test('a cancel: the engine is told within a second, and the attempt ends quietly', async () => {
    const forecast = await taken();
    const asked = Promise.withResolvers<void>();
    const running = runByHand(service, forecast, (_, options) => {
      asked.resolve();
      return untilAborted(options?.signal);
    });
    await asked.promise;
    const at = performance.now();
    await cancelForecast(service.jobs, forecast);
    await running;
    const waited = performance.now() - at;
    assert.ok(waited < 1_000, `${waited} ms`);
    assert.partialDeepStrictEqual(await end(forecast), { ...FAILED, code: 'FORECAST_CANCELED', job: 'cancelled' });
  });

  test('a result that comes after a cancel is not accepted', async () => {
    const forecast = await taken();
    await runByHand(service, forecast, async () => {
      await cancelForecast(service.jobs, forecast);
      return result;
    });
    assert.partialDeepStrictEqual(await end(forecast), { ...FAILED, code: 'FORECAST_CANCELED', job: 'cancelled' });
  });

  test('a forecast that has ended is not run again', async () => {
    const forecast = await taken();
    await cancelForecast(service.jobs, forecast);
    await runByHand(service, forecast, () => assert.fail('the engine was asked'));
    assert.partialDeepStrictEqual(await end(forecast), { status: 'failed', attempt: 0, events: ['failed'] });
  });

  test('the ledger is sound after all of it', async () => {
    const report = await checkLedger(service.database);
    assert.ok(isSound(report), JSON.stringify(report));
  });
});

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
