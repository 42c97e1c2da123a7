import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ForecastResult } from '../../src/engine/index.ts';
import { checkLedger, isSound } from '../../src/forecasts/index.ts';
import { type Ask, askAs } from '../support/api/ask.ts';
import { countRows } from '../support/forecasts/forecast-counts.ts';
import {
  create,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Person,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { runByHand, takeJob, trueResult } from '../support/forecasts/run-by-hand.ts';
import { testedKind } from '../support/platform/database.ts';

const AT_ONCE = 30;

const kind = testedKind;
describe(`idempotency keys [${kind}]`, () => {
  let service: ForecastService;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService(kind);
    result = await trueResult();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const withKey = ({ credentials }: Person, key: string): Ask =>
    askAs(service.app, { ...credentials, 'idempotency-key': key });
  const complete = async (id: string) => runByHand(service, await takeJob(service.database, id), async () => result);
  const reproduce = (ask: Ask, name: string) => ask<Started>('POST', `${FORECASTS}/${name}/reproduce`);
  const noMoreThan = async (rows: Awaited<ReturnType<typeof countRows>>) =>
    assert.deepEqual(await countRows(service.database), rows);

  /** Gives a guest's completed forecast to an account. */
  async function save(guest: Person, id: string): Promise<void> {
    const { cookies } = await guest.ask('POST', `${FORECASTS}/${id}/prepare-save`);
    const { credentials } = await service.account();
    const browser = askAs(service.app, { ...credentials, cookie: String(cookies[0]?.split(';')[0]) });
    assert.equal((await browser('POST', `${FORECASTS}/${id}/save`)).status, 200);
  }

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

  test('a repeat gets the first answer, also once the forecast has ended', async () => {
    const ask = withKey(await service.account(), 'one');
    const first = await ask<Started>('POST', FORECASTS, inlineRequest());
    await complete(first.data.forecast_id);
    const second = await ask<Started>('POST', FORECASTS, inlineRequest());
    assert.deepEqual([second.status, second.body], [202, first.body]);
  });

  test('a guest’s repeat gets the first answer when the forecast is an account’s by now, and nothing else', async () => {
    const guest = await service.guest();
    const ask = withKey(guest, 'one');
    const first = await ask<Started>('POST', FORECASTS, inlineRequest());
    const { forecast_id: id } = first.data;
    await complete(id);
    await save(guest, id);
    const rows = await countRows(service.database);
    const second = await ask('POST', FORECASTS, inlineRequest());
    assert.deepEqual([second.status, second.body], [202, first.body]);
    await noMoreThan(rows);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/events'],
      ['POST', '/cancel'],
      ['POST', '/reproduce'],
    ] as const) {
      assert.equal((await guest.ask(method, `${FORECASTS}/${id}${path}`)).status, 404, path);
    }
  });

  test('reproducing with the same key answers the same new forecast, by either name of the original', async () => {
    const person = await service.account();
    const { data: original } = await create(person);
    const ask = withKey(person, 'again');
    const first = await reproduce(ask, original.forecast_id);
    assert.deepEqual([first.status, first.data.status], [202, 'queued']);
    assert.notEqual(first.data.forecast_id, original.forecast_id);
    const rows = await countRows(service.database);
    for (const name of [original.forecast_id, original.slug]) {
      const second = await reproduce(ask, name);
      assert.deepEqual([second.status, second.body], [202, first.body]);
    }
    await noMoreThan(rows);
    const other = await reproduce(withKey(person, 'and-again'), original.forecast_id);
    assert.notEqual(other.data.forecast_id, first.data.forecast_id);
  });

  test('a key that was used for something else does not reproduce, whether or not the forecast is there', async () => {
    const person = await service.account();
    const { data: theirs } = await create(await service.account());
    const { data: one } = await create(person);
    const { data: two } = await create(person);
    const ask = withKey(person, 'once');
    assert.equal((await reproduce(ask, one.forecast_id)).status, 202);
    const rows = await countRows(service.database);
    const hidden = await reproduce(ask, theirs.forecast_id);
    for (const name of [two.forecast_id, 'ef_00000000000000000000000000']) {
      const { status, code, body } = await reproduce(ask, name);
      assert.deepEqual([status, code, body], [409, 'IDEMPOTENCY_MISMATCH', hidden.body]);
    }
    assert.equal((await ask('POST', FORECASTS, inlineRequest())).code, 'IDEMPOTENCY_MISMATCH');
    const unused = withKey(person, 'unused');
    for (const name of [theirs.forecast_id, 'ef_00000000000000000000000000']) {
      assert.equal((await reproduce(unused, name)).code, 'NOT_FOUND');
    }
    assert.equal((await reproduce(withKey(person, 'with space'), one.forecast_id)).code, 'INVALID_REQUEST');
    await noMoreThan(rows);
  });

  test('a guest’s repeated reproduction is answered when the original is an account’s by now', async () => {
    const guest = await service.guest();
    const { data: original } = await create(guest);
    await complete(original.forecast_id);
    const ask = withKey(guest, 'again');
    const first = await reproduce(ask, original.slug);
    await save(guest, original.forecast_id);
    const second = await reproduce(ask, original.slug);
    assert.deepEqual([second.status, second.body], [202, first.body]);
    assert.equal((await reproduce(withKey(guest, 'new'), original.slug)).code, 'NOT_FOUND');
  });

  for (const who of ['account', 'guest'] as const) {
    test(`${AT_ONCE} reproductions at once by one ${who} make one forecast`, async () => {
      const person = await service[who]();
      const { data: original } = await create(person);
      await complete(original.forecast_id);
      const ask = withKey(person, 'at-once');
      const rows = await countRows(service.database);
      const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => reproduce(ask, original.forecast_id)));
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [202]);
      assert.equal(new Set(replies.map(({ data }) => data.forecast_id)).size, 1);
      const after = await countRows(service.database);
      assert.deepEqual([after.forecast - rows.forecast, after.slots - rows.slots], [1, 1]);
      assert.ok(isSound(await checkLedger(service.database)));
    });
  }
});
