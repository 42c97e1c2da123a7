import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForecastError, type ForecastResult } from '../../src/engine/index.ts';
import { cancelForecast, checkLedger, isSound } from '../../src/forecasts/index.ts';
import { askAs } from '../support/api/ask.ts';
import { countRows } from '../support/forecasts/forecast-counts.ts';
import {
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Person,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { createByHand, endOf, runByHand, takeJob, trueResult } from '../support/forecasts/run-by-hand.ts';
import { testedKind } from '../support/platform/database.ts';

/** 1000 for the full run; how many of each race. */
const ROUNDS = Number(process.env.ALMANAC_RACES ?? 20);
const TIMEOUT = 60_000 + ROUNDS * 500;

const COMPLETED = { status: 'completed', code: null, events: ['completed'], transfers: ['capture'], job: 'completed' };
const CANCELED = {
  status: 'failed',
  code: 'FORECAST_CANCELED',
  season: null,
  events: ['failed'],
  transfers: ['release'],
  job: 'cancelled',
};

const skip = testedKind !== 'postgres' && 'races need connections of their own: TEST_DATABASE_URL is not set';

describe(`races, ${ROUNDS} rounds each`, { skip, timeout: 6 * TIMEOUT }, () => {
  let service: ForecastService;
  let person: Person;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService('postgres');
    person = await service.account('enterprise');
    result = await trueResult();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const taken = async () => takeJob(service.database, await createByHand(service, person));

  /** After every round nothing may be left over. */
  async function checkBalance(): Promise<void> {
    const report = await checkLedger(service.database);
    assert.ok(isSound(report), JSON.stringify(report));
    assert.equal((await countRows(service.database)).slots, 0, 'every slot is free');
  }

  function race(name: string, round: (number: number) => Promise<string>): void {
    test(name, { timeout: TIMEOUT }, async (context: TestContext) => {
      const outcomes: Record<string, number> = {};
      for (let number = 0; number < ROUNDS; number += 1) {
        const outcome = await round(number);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        await checkBalance();
      }
      context.diagnostic(JSON.stringify(outcomes));
    });
  }

  // How many milliseconds the cancel waits once the result is there; below 0 the result waits. It moves towards
  // whoever lost, so that the two stay close together on any machine.
  let handicap = 0;
  const wins = { completed: 0, canceled: 0 };

  race('cancel against completion: one of them', async () => {
    const forecast = await taken();
    const wait = handicap + 2 * (Math.random() - 0.5);
    const asked = Promise.withResolvers<void>();
    const running = runByHand(service, forecast, async () => {
      asked.resolve();
      if (wait < 0) await sleep(-wait);
      return result;
    });
    await asked.promise;
    if (wait > 0) await sleep(wait);
    await Promise.all([running, cancelForecast(service.jobs, forecast)]);
    const end = await endOf(service.database, forecast);
    const winner = end.status === 'completed' ? 'completed' : 'canceled';
    assert.partialDeepStrictEqual(end, winner === 'completed' ? COMPLETED : CANCELED);
    wins[winner] += 1;
    handicap += winner === 'completed' ? -0.3 : 0.3;
    return winner;
  });

  test('both of them won some', () => {
    assert.ok(wins.completed > 0 && wins.canceled > 0, JSON.stringify(wins));
  });

  race('cancel against cancel: one end', async () => {
    const forecast = await taken();
    await Promise.all(Array.from({ length: 4 }, () => cancelForecast(service.jobs, forecast)));
    assert.partialDeepStrictEqual(await endOf(service.database, forecast), CANCELED);
    return 'canceled';
  });

  race('ten requests with one key: one forecast', async (number) => {
    // A guest has one slot, an account enough for all ten: both must come to the same.
    const who = number % 2 === 0 ? person : await service.guest();
    const ask = askAs(service.app, { ...who.credentials, 'idempotency-key': `round-${number}` });
    const rows = await countRows(service.database);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ask<Started>('POST', FORECASTS, inlineRequest())),
    );
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [202]);
    const [id, ...others] = new Set(replies.map(({ data }) => data.forecast_id));
    assert.deepEqual(others, []);
    const after = await countRows(service.database);
    assert.equal(after.forecast - rows.forecast, 1);
    assert.equal(after['queue.job'] - rows['queue.job'], 1);
    assert.equal(after.slots, 1);
    assert.equal((await who.ask('POST', `${FORECASTS}/${id}/cancel`)).status, 200);
    return number % 2 === 0 ? 'account' : 'guest';
  });

  race('two attempts at one forecast: only the later one’s result', async (number) => {
    const forecast = await taken();
    const both = Promise.withResolvers<void>();
    const firstAsked = Promise.withResolvers<void>();
    const first = runByHand(service, forecast, async () => {
      firstAsked.resolve();
      await both.promise;
      // Whether it has a result or none, it has lost the forecast.
      if (number % 2 === 1) throw new ForecastError('ALL_MODELS_FAILED', 'No model could be fitted.');
      return { ...result, season: 11 };
    });
    await firstAsked.promise;
    await takeJob(service.database, forecast.id, 1);
    const second = runByHand(
      service,
      forecast,
      async () => {
        both.resolve();
        return { ...result, season: 12 };
      },
      { attempt: 1 },
    );
    await Promise.all([first, second]);
    assert.partialDeepStrictEqual(await endOf(service.database, forecast), { ...COMPLETED, season: 12, attempt: 2 });
    return 'the later one';
  });

  race('two attempts that take the forecast at the same moment: one end', async () => {
    const forecast = await taken();
    await Promise.all([1, 2].map((one) => runByHand(service, forecast, async () => ({ ...result, season: one }))));
    const { attempt, ...end } = await endOf(service.database, forecast);
    assert.partialDeepStrictEqual(end, COMPLETED);
    return `${attempt} taken`;
  });
});
