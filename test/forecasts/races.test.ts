import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForecastError, type ForecastResult } from '../../src/engine/index.ts';
import { createRandom } from '../../src/engine/numerics/random.ts';
import { cancelUnfinished, checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { countRows } from '../support/forecasts/forecast-counts.ts';
import {
  type Caller,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import {
  activateJob,
  computeResult,
  createDirectly,
  readOutcome,
  runAttempt,
} from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';

/** The rounds of each race; 1000 for the full run. */
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

const skip = testedKind !== 'postgres' && 'races need several connections: TEST_DATABASE_URL is not set';

describe(`races, ${ROUNDS} rounds each`, { skip, timeout: 6 * TIMEOUT }, () => {
  let service: ForecastService;
  let caller: Caller;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService('postgres');
    caller = await service.account('enterprise');
    result = await computeResult();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const createActive = async () => activateJob(service.database, await createDirectly(service, caller));

  /** Checks that a round leaves a sound ledger and no taken slot. */
  async function checkBalance(): Promise<void> {
    const report = await checkLedger(service.database);
    assert.ok(isLedgerSound(report), JSON.stringify(report));
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

  // The delay of the cancellation in milliseconds; below 0 the result is delayed. It moves in favor of the loser, so that
  // the two stay close together on any machine.
  let handicap = 0;
  const wins = { completed: 0, canceled: 0 };
  const random = createRandom(1);

  race('a concurrent cancellation and completion have one outcome, and each wins some rounds', async (number) => {
    const forecast = await createActive();
    const wait = handicap + 2 * (random.uniform() - 0.5);
    const started = Promise.withResolvers<void>();
    const running = runAttempt(service, forecast, async () => {
      started.resolve();
      if (wait < 0) await sleep(-wait);
      return result;
    });
    await started.promise;
    if (wait > 0) await sleep(wait);
    await Promise.all([running, cancelUnfinished(service.forecasts, forecast)]);
    const end = await readOutcome(service.database, forecast);
    const winner = end.status === 'completed' ? 'completed' : 'canceled';
    assert.partialDeepStrictEqual(end, winner === 'completed' ? COMPLETED : CANCELED);
    wins[winner] += 1;
    handicap += winner === 'completed' ? -0.3 : 0.3;
    if (number === ROUNDS - 1) assert.ok(wins.completed > 0 && wins.canceled > 0, JSON.stringify(wins));
    return winner;
  });

  race('concurrent cancellations end a forecast once', async () => {
    const forecast = await createActive();
    await Promise.all(Array.from({ length: 4 }, () => cancelUnfinished(service.forecasts, forecast)));
    assert.partialDeepStrictEqual(await readOutcome(service.database, forecast), CANCELED);
    return 'canceled';
  });

  race('ten concurrent requests with one key create one forecast', async (number) => {
    // A guest has one slot, an account has enough for all ten: both must get the same outcome.
    const sender = number % 2 === 0 ? caller : await service.guest();
    const request = requestAs(service.app, { ...sender.credentials, 'idempotency-key': `round-${number}` });
    const rows = await countRows(service.database);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => request<Started>('POST', FORECASTS, inlineRequest())),
    );
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [202]);
    const [id, ...others] = new Set(replies.map(({ data }) => data.forecast_id));
    assert.deepEqual(others, []);
    const after = await countRows(service.database);
    assert.equal(after.forecast - rows.forecast, 1);
    assert.equal(after['queue.job'] - rows['queue.job'], 1);
    assert.equal(after.slots, 1);
    assert.equal((await sender.request('POST', `${FORECASTS}/${id}/cancel`)).status, 200);
    return number % 2 === 0 ? 'account' : 'guest';
  });

  race('of two attempts at one forecast, only the later one stores its result', async (number) => {
    const forecast = await createActive();
    const both = Promise.withResolvers<void>();
    const firstStarted = Promise.withResolvers<void>();
    const first = runAttempt(service, forecast, async () => {
      firstStarted.resolve();
      await both.promise;
      // Whether this attempt succeeds or fails, it no longer holds the forecast.
      if (number % 2 === 1) throw new ForecastError('ALL_MODELS_FAILED', 'No model could be fitted.');
      return { ...result, season: 11 };
    });
    await firstStarted.promise;
    await activateJob(service.database, forecast.id, 1);
    const second = runAttempt(
      service,
      forecast,
      async () => {
        both.resolve();
        return { ...result, season: 12 };
      },
      { attempt: 1 },
    );
    await Promise.all([first, second]);
    assert.partialDeepStrictEqual(await readOutcome(service.database, forecast), {
      ...COMPLETED,
      season: 12,
      attempt: 2,
    });
    return 'the later attempt';
  });

  race('an attempt that the queue has given up does not take the forecast from its successor', async () => {
    const forecast = await createActive();
    await activateJob(service.database, forecast.id, 1);
    await runAttempt(
      service,
      forecast,
      async () => {
        // The process of the first attempt was stopped before it began, and continues now.
        await runAttempt(service, forecast, () => assert.fail('the first attempt must not begin'), { attempt: 0 });
        return { ...result, season: 12 };
      },
      { attempt: 1 },
    );
    assert.partialDeepStrictEqual(await readOutcome(service.database, forecast), {
      ...COMPLETED,
      season: 12,
      attempt: 1,
    });
    return 'the successor';
  });

  race('two attempts that begin concurrently end a forecast once', async () => {
    const forecast = await createActive();
    await Promise.all([1, 2].map((season) => runAttempt(service, forecast, async () => ({ ...result, season }))));
    const { attempt, ...end } = await readOutcome(service.database, forecast);
    assert.partialDeepStrictEqual(end, COMPLETED);
    return `${attempt} attempts`;
  });
});
