import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { checkLedger, isSound } from '../../src/jobs/index.ts';
import { type Ask, askAs } from '../support/ask.ts';
import { availableKinds } from '../support/database.ts';
import { countRows } from '../support/forecast-counts.ts';
import {
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Person,
  type Started,
} from '../support/forecast-service.ts';

const AT_ONCE = 30;

for (const kind of availableKinds) {
  describe(`idempotency keys [${kind}]`, () => {
    let service: ForecastService;
    before(async () => {
      service = await openForecastService(kind);
    });
    after(() => service?.[Symbol.asyncDispose]());

    const withKey = ({ credentials }: Person, key: string): Ask =>
      askAs(service.app, { ...credentials, 'idempotency-key': key });

    test('the same key and request answer the same forecast', async () => {
      const ask = withKey(await service.account(), 'one');
      const first = await ask<Started>('POST', FORECASTS, inlineRequest());
      const rows = await countRows(service.database);
      const second = await ask<Started>('POST', FORECASTS, inlineRequest());
      assert.deepEqual([second.status, second.body], [202, first.body]);
      assert.deepEqual(await countRows(service.database), rows);
    });

    test('another request with the key is refused and leaves nothing', async () => {
      const ask = withKey(await service.account(), 'one');
      assert.equal((await ask('POST', FORECASTS, inlineRequest())).status, 202);
      const rows = await countRows(service.database);
      const { status, code } = await ask('POST', FORECASTS, inlineRequest({ horizon: 4 }));
      assert.deepEqual([status, code], [409, 'IDEMPOTENCY_MISMATCH']);
      assert.deepEqual(await countRows(service.database), rows);
    });

    test('a key is its owner’s: somebody else’s same key is another', async () => {
      const ids = new Set<string>();
      for (const person of [await service.account(), await service.account(), await service.guest()]) {
        const { data } = await withKey(person, 'shared')<Started>('POST', FORECASTS, inlineRequest());
        ids.add(data.forecast_id);
      }
      assert.equal(ids.size, 3);
    });

    test('a key that is no key is refused', async () => {
      const person = await service.account();
      for (const key of ['with space', 'x'.repeat(201)]) {
        assert.equal((await withKey(person, key)('POST', FORECASTS, inlineRequest())).code, 'INVALID_REQUEST');
      }
    });

    for (const who of ['account', 'guest'] as const) {
      test(`${AT_ONCE} requests at once by one ${who} make one forecast`, async () => {
        // A guest has one slot: those that come second must not find it taken by their own forecast.
        const ask = withKey(await service[who](), 'at-once');
        const rows = await countRows(service.database);
        const replies = await Promise.all(
          Array.from({ length: AT_ONCE }, () => ask<Started>('POST', FORECASTS, inlineRequest())),
        );
        assert.deepEqual([...new Set(replies.map(({ status }) => status))], [202]);
        assert.equal(new Set(replies.map(({ data }) => data.forecast_id)).size, 1);
        const after = await countRows(service.database);
        assert.deepEqual(
          [after.forecast - rows.forecast, after['queue.job'] - rows['queue.job'], after.slots - rows.slots],
          [1, 1, 1],
        );
        assert.ok(isSound(await checkLedger(service.database)));
      });
    }
  });
}
