import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ForecastResult } from '../../src/engine/index.ts';
import { checkLedger, isSound } from '../../src/forecasts/index.ts';
import { type Ask, askAs } from '../support/api/ask.ts';
import {
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { runByHand, takeJob, trueResult } from '../support/forecasts/run-by-hand.ts';
import { testedKind } from '../support/platform/database.ts';

const SLOTS = 10;

const kind = testedKind;
describe(`many guests of one network [${kind}]`, () => {
  let service: ForecastService;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService(kind);
    result = await trueResult();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const guestAt = async (address: string): Promise<Ask> =>
    askAs(service.app, (await service.guest()).credentials, address);
  const start = (ask: Ask) => ask<Started>('POST', FORECASTS, inlineRequest());
  const fill = async (address: string) => {
    const started: { ask: Ask; id: string }[] = [];
    while (started.length < SLOTS) {
      const ask = await guestAt(address);
      const { status, data, body } = await start(ask);
      assert.equal(status, 202, body);
      started.push({ ask, id: data.forecast_id });
    }
    return started;
  };

  test('have ten slots together, and get one back with each end', async () => {
    const [first, second] = await fill('2001:db8:1:2::1');
    assert.ok(first && second);
    const eleventh = await guestAt('2001:db8:1:2:ffff::9');
    const refused = await start(eleventh);
    assert.deepEqual([refused.status, refused.code], [429, 'QUOTA_EXCEEDED']);
    assert.match(JSON.parse(refused.body).error.message, /10 forecasts of guests of your network/);
    assert.ok(Number(refused.headers['retry-after']) >= 1);

    assert.equal((await start(await guestAt('2001:db8:1:3::1'))).status, 202, 'another network');
    const { credentials } = await service.account();
    assert.equal((await start(askAs(service.app, credentials, '2001:db8:1:2::1'))).status, 202, 'an account');

    for (let time = 0; time < 2; time += 1) await first.ask('POST', `${FORECASTS}/${first.id}/cancel`);
    assert.equal((await start(eleventh)).status, 202);
    assert.equal((await start(first.ask)).code, 'QUOTA_EXCEEDED', 'a repeated cancel frees nothing');
    await runByHand(service, await takeJob(service.database, second.id), async () => result);
    const again = await second.ask('POST', `${FORECASTS}/${second.id}/reproduce`);
    assert.equal(again.status, 202, 'a completed one makes room, which a reproduction takes');
    assert.equal((await start(first.ask)).code, 'QUOTA_EXCEEDED');
  });

  test('do not get more by asking at once', async () => {
    const guests = await Promise.all(Array.from({ length: 2 * SLOTS }, () => guestAt('192.0.2.1')));
    const replies = await Promise.all(guests.map(start));
    const taken = replies.filter(({ status }) => status === 202);
    assert.equal(taken.length, SLOTS);
    assert.ok(replies.every(({ status, code }) => status === 202 || code === 'QUOTA_EXCEEDED'));
    const ends = guests.map((ask, i) => ask('POST', `${FORECASTS}/${replies[i]?.data?.forecast_id}/cancel`));
    await Promise.all(ends);
    assert.equal((await start(await guestAt('192.0.2.1'))).status, 202);
  });

  test('the ledger is sound after all of it', async () => {
    const report = await checkLedger(service.database);
    assert.ok(isSound(report), JSON.stringify(report));
  });
});
