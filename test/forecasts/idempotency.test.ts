import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ForecastResult } from '../../src/engine/index.ts';
import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import { requestAs, type SendRequest } from '../support/api/request-as.ts';
import { countRows } from '../support/forecasts/forecast-counts.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';

const CONCURRENT = 10;

const kind = testedKind;
describe(`idempotency keys [${kind}]`, () => {
  let service: ForecastService;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService(kind);
    result = await computeResult();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const withKey = ({ credentials }: Caller, key: string): SendRequest =>
    requestAs(service.app, { ...credentials, 'idempotency-key': key });
  const complete = async (id: string) =>
    runAttempt(service, await activateJob(service.database, id), async () => result);
  const reproduce = (request: SendRequest, name: string) => request<Started>('POST', `${FORECASTS}/${name}/reproduce`);
  const assertUnchanged = async (rows: Awaited<ReturnType<typeof countRows>>) =>
    assert.deepEqual(await countRows(service.database), rows);

  /** Saves a guest's completed forecast under a new account. */
  async function save(guest: Caller, id: string): Promise<void> {
    const { cookies } = await guest.request('POST', `${FORECASTS}/${id}/prepare-save`);
    const { credentials } = await service.account();
    const browser = requestAs(service.app, { ...credentials, cookie: String(cookies[0]?.split(';')[0]) });
    assert.equal((await browser('POST', `${FORECASTS}/${id}/save`)).status, 200);
  }

  test('the same key and request return the same forecast', async () => {
    const request = withKey(await service.account(), 'one');
    const first = await request<Started>('POST', FORECASTS, inlineRequest());
    const rows = await countRows(service.database);
    const second = await request<Started>('POST', FORECASTS, inlineRequest());
    assert.deepEqual([second.status, second.body], [202, first.body]);
    assert.deepEqual(await countRows(service.database), rows);
  });

  test('refuses a different request with a used key and stores nothing', async () => {
    const request = withKey(await service.account(), 'one');
    assert.equal((await request('POST', FORECASTS, inlineRequest())).status, 202);
    const rows = await countRows(service.database);
    const { status, code } = await request('POST', FORECASTS, inlineRequest({ horizon: 4 }));
    assert.deepEqual([status, code], [409, 'IDEMPOTENCY_MISMATCH']);
    assert.deepEqual(await countRows(service.database), rows);
  });

  test('equal keys of different owners are independent', async () => {
    const ids = new Set<string>();
    for (const caller of [await service.account(), await service.account(), await service.guest()]) {
      const { data } = await withKey(caller, 'shared')<Started>('POST', FORECASTS, inlineRequest());
      ids.add(data.forecast_id);
    }
    assert.equal(ids.size, 3);
  });

  test('refuses an invalid key', async () => {
    const caller = await service.account();
    for (const key of ['with space', 'x'.repeat(201)]) {
      assert.equal((await withKey(caller, key)('POST', FORECASTS, inlineRequest())).code, 'INVALID_REQUEST');
    }
  });

  for (const role of ['account', 'guest'] as const) {
    test(`${CONCURRENT} concurrent requests of one ${role} create one forecast`, async () => {
      // A guest has one slot: a repeated request must not be refused because the first one has taken it.
      const request = withKey(await service[role](), 'at-once');
      const rows = await countRows(service.database);
      const replies = await Promise.all(
        Array.from({ length: CONCURRENT }, () => request<Started>('POST', FORECASTS, inlineRequest())),
      );
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [202]);
      assert.equal(new Set(replies.map(({ data }) => data.forecast_id)).size, 1);
      const after = await countRows(service.database);
      assert.deepEqual(
        [after.forecast - rows.forecast, after['queue.job'] - rows['queue.job'], after.slots - rows.slots],
        [1, 1, 1],
      );
      assert.ok(isLedgerSound(await checkLedger(service.database)));
    });
  }

  test('a repeated request gets the first response even after the forecast has ended', async () => {
    const request = withKey(await service.account(), 'one');
    const first = await request<Started>('POST', FORECASTS, inlineRequest());
    await complete(first.data.forecast_id);
    const second = await request<Started>('POST', FORECASTS, inlineRequest());
    assert.deepEqual([second.status, second.body], [202, first.body]);
  });

  test('a guest’s repeated request gets only the first response after an account has saved the forecast', async () => {
    const guest = await service.guest();
    const request = withKey(guest, 'one');
    const first = await request<Started>('POST', FORECASTS, inlineRequest());
    const { forecast_id: id } = first.data;
    await complete(id);
    await save(guest, id);
    const rows = await countRows(service.database);
    const second = await request('POST', FORECASTS, inlineRequest());
    assert.deepEqual([second.status, second.body], [202, first.body]);
    await assertUnchanged(rows);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/events'],
      ['POST', '/cancel'],
      ['POST', '/reproduce'],
    ] as const) {
      assert.equal((await guest.request(method, `${FORECASTS}/${id}${path}`)).status, 404, path);
    }
  });

  test('the same key returns the same reproduction, by id and by slug of the original', async () => {
    const caller = await service.account();
    const { data: original } = await create(caller);
    const request = withKey(caller, 'again');
    const first = await reproduce(request, original.forecast_id);
    assert.deepEqual([first.status, first.data.status], [202, 'queued']);
    assert.notEqual(first.data.forecast_id, original.forecast_id);
    const rows = await countRows(service.database);
    for (const name of [original.forecast_id, original.slug]) {
      const second = await reproduce(request, name);
      assert.deepEqual([second.status, second.body], [202, first.body]);
    }
    await assertUnchanged(rows);
    const other = await reproduce(withKey(caller, 'and-again'), original.forecast_id);
    assert.notEqual(other.data.forecast_id, first.data.forecast_id);
  });

  test('a used key is refused for every other forecast, whether or not that forecast exists', async () => {
    const caller = await service.account();
    const { data: theirs } = await create(await service.account());
    const { data: one } = await create(caller);
    const { data: two } = await create(caller);
    const request = withKey(caller, 'once');
    assert.equal((await reproduce(request, one.forecast_id)).status, 202);
    const rows = await countRows(service.database);
    const hidden = await reproduce(request, theirs.forecast_id);
    for (const name of [two.forecast_id, 'ef_00000000000000000000000000']) {
      const { status, code, body } = await reproduce(request, name);
      assert.deepEqual([status, code, body], [409, 'IDEMPOTENCY_MISMATCH', hidden.body]);
    }
    assert.equal((await request('POST', FORECASTS, inlineRequest())).code, 'IDEMPOTENCY_MISMATCH');
    const unused = withKey(caller, 'unused');
    for (const name of [theirs.forecast_id, 'ef_00000000000000000000000000']) {
      assert.equal((await reproduce(unused, name)).code, 'NOT_FOUND');
    }
    assert.equal((await reproduce(withKey(caller, 'with space'), one.forecast_id)).code, 'INVALID_REQUEST');
    await assertUnchanged(rows);
  });

  test('a guest’s repeated reproduction is answered after an account has saved the original', async () => {
    const guest = await service.guest();
    const { data: original } = await create(guest);
    await complete(original.forecast_id);
    const request = withKey(guest, 'again');
    const first = await reproduce(request, original.slug);
    await save(guest, original.forecast_id);
    const second = await reproduce(request, original.slug);
    assert.deepEqual([second.status, second.body], [202, first.body]);
    assert.equal((await reproduce(withKey(guest, 'new'), original.slug)).code, 'NOT_FOUND');
  });

  for (const role of ['account', 'guest'] as const) {
    test(`${CONCURRENT} concurrent reproductions by one ${role} create one forecast`, async () => {
      const caller = await service[role]();
      const { data: original } = await create(caller);
      await complete(original.forecast_id);
      const request = withKey(caller, 'at-once');
      const rows = await countRows(service.database);
      const replies = await Promise.all(
        Array.from({ length: CONCURRENT }, () => reproduce(request, original.forecast_id)),
      );
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [202]);
      assert.equal(new Set(replies.map(({ data }) => data.forecast_id)).size, 1);
      const after = await countRows(service.database);
      assert.deepEqual([after.forecast - rows.forecast, after.slots - rows.slots], [1, 1]);
      assert.ok(isLedgerSound(await checkLedger(service.database)));
    });
  }
});
