import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import { countRows } from '../support/forecasts/forecast-counts.ts';
import { create, FORECASTS, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const kind = testedKind;
describe(`slots and credits [${kind}]`, () => {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(kind);
  });
  after(() => service?.[Symbol.asyncDispose]());
  afterEach(async () => {
    const report = await checkLedger(service.database);
    assert.ok(isLedgerSound(report), JSON.stringify(report));
  });

  test('a guest has one slot, which a cancellation releases', async () => {
    const guest = await service.guest();
    const { data } = await create(guest);
    const rows = await countRows(service.database);
    const refused = await create(guest);
    assert.deepEqual([refused.status, refused.code], [429, 'QUOTA_EXCEEDED']);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.deepEqual(await countRows(service.database), rows, 'a refused request stores nothing');
    await guest.request('POST', `${FORECASTS}/${data.forecast_id}/cancel`);
    assert.equal((await create(guest)).status, 202);
  });

  test('20 concurrent requests take the four slots of a pro account and no more', async () => {
    const caller = await service.account('pro');
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(caller)));
    const taken = replies.filter(({ status }) => status === 202).length;
    assert.equal(taken, 4);
    assert.ok(replies.every(({ status, code }) => status === 202 || code === 'QUOTA_EXCEEDED'));
  });

  test('refuses a forecast that costs more credits than are left', async () => {
    const guest = await service.guest();
    const rows = await countRows(service.database);
    const models = ['prophet', 'ets', 'theta', 'arima', 'seasonal_naive'];
    const points = Array.from({ length: 20_000 }, (_, i) => ({
      timestamp: new Date(Date.UTC(1960, 0, 1 + i)).toISOString(),
      value: i % 7,
    }));
    const refused = await create(guest, { source: { type: 'inline', points }, models });
    assert.deepEqual([refused.status, refused.code], [429, 'QUOTA_EXCEEDED'], refused.body);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.deepEqual(await countRows(service.database), rows);
  });
});
