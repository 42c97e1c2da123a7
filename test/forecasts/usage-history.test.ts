import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { UsageRecord } from '../../src/contract/index.ts';
import { recordStoredBytes, removeOldUsageDays } from '../../src/forecasts/index.ts';
import { create, FORECASTS, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';

type Usage = z.output<typeof UsageRecord>;
const PATH = '/v1/me/usage';

describe(`usage history [${testedKind}]`, () => {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(testedKind);
  });
  after(() => service?.[Symbol.asyncDispose]());

  const today = () => service.identity.clock.now().toISOString().slice(0, 10);
  const run = (text: string) => sql.raw(text).execute(service.database.query());

  test('records slots, credits and bytes of the day, which survive the deletion of the forecast', async () => {
    const caller = await service.account('pro');
    const read = async (query: string) => (await caller.request<Usage>('GET', `${PATH}${query}`)).data;
    assert.equal('history' in (await read('')), false, 'only on request');
    const [first, second] = [await create(caller), await create(caller)];
    await caller.request('POST', `${FORECASTS}/${second.data.forecast_id}/cancel`);
    const job = await activateJob(service.database, first.data.forecast_id);
    await runAttempt(service, job, computeResult);
    await recordStoredBytes(service.forecasts);
    const usage = await read('?interval=day');
    const last = usage.history?.entries.at(-1);
    assert.equal(usage.history?.entries.length, 30);
    assert.ok(usage.credits.used > 0);
    const expected = { start: today(), credits: usage.credits.used, peak_slots: 2, stored_bytes: usage.storage.bytes };
    assert.deepEqual(last, expected);
    await caller.request('DELETE', `${FORECASTS}/${first.data.forecast_id}`);
    const months = (await read(`?interval=month&from=${today()}`)).history;
    assert.deepEqual(months, {
      interval: 'month',
      entries: [{ ...expected, start: `${today().slice(0, 7)}-01`, stored_bytes: (await read('')).storage.bytes }],
    });
    assert.equal((await read('?to=9999-12-31')).history?.entries.at(-1)?.credits, usage.credits.used);
  });

  test('carries stored bytes forward, and shows what was not recorded as null', async () => {
    const caller = await service.account('pro');
    const id = String(caller.accountId);
    await run(`UPDATE usage_start SET day = '2020-01-03'`);
    await run(`INSERT INTO usage_day (account_id, day, credits, peak_slots, bytes)
      VALUES ('${id}', '2020-01-02', 5, NULL, NULL), ('${id}', '2020-01-04', 0, 3, 700), ('${id}', '2019-11-30', 2, NULL, 9)`);
    await run(`INSERT INTO ledger_entry (transfer, owner, month, ledger_account, amount, forecast_id, created_at)
      VALUES ('removed:${id}:2020-01', '${id}', '2020-01', 'spent', 12, 'x', now()),
        ('removed:${id}:2020-01', '${id}', '2020-01', 'available', -12, 'x', now())`);
    const { data } = await caller.request<Usage>('GET', `${PATH}?from=2020-01-01&to=2020-01-05`);
    assert.deepEqual(
      data.history?.entries.map(({ credits, peak_slots, stored_bytes }) => [credits, peak_slots, stored_bytes]),
      [
        [0, null, 9],
        [5, null, 9],
        [0, 0, 9],
        [0, 3, 700],
        [0, 0, 700],
      ],
    );
    const months = await caller.request<Usage>('GET', `${PATH}?from=2019-12-31&to=2020-02-01&interval=month`);
    assert.deepEqual(
      months.data.history?.entries.map(({ start, ...rest }) => [start, ...Object.values(rest)]),
      [
        ['2019-12-01', 0, null, 9],
        ['2020-01-01', 12, 3, 700],
        ['2020-02-01', 0, 0, 700],
      ],
    );
    await removeOldUsageDays(service.database, service.identity.clock);
    const { rows } = await sql`SELECT 1 FROM usage_day WHERE account_id = ${id}`.execute(service.database.query());
    assert.equal(rows.length, 0);
  });

  test('stores no row for an account whose bytes have not changed', async () => {
    const caller = await service.account('pro');
    const rows = async () => {
      const found = await sql<{ bytes: number }>`
        SELECT bytes::int FROM usage_day WHERE account_id = ${caller.accountId} AND bytes IS NOT NULL`.execute(
        service.database.query(),
      );
      return found.rows.map(({ bytes }) => bytes);
    };
    await recordStoredBytes(service.forecasts);
    assert.deepEqual(await rows(), []);
    await run(`INSERT INTO stored_bytes (payer, bytes) VALUES ('${caller.accountId}', 70)`);
    await Promise.all([recordStoredBytes(service.forecasts), recordStoredBytes(service.forecasts)]);
    assert.deepEqual(await rows(), [70]);
    await run(`DELETE FROM stored_bytes WHERE payer = '${caller.accountId}'`);
    await recordStoredBytes(service.forecasts);
    assert.deepEqual(await rows(), [0]);
  });

  test('refuses what is not a range, and guests', async () => {
    const [caller, guest] = [await service.account('pro'), await service.guest()];
    for (const [query, field] of [
      ['?from=2020-02-02&to=2020-02-01', 'from'],
      ['?from=2020-13-01', 'from'],
      ['?from=2020-02-01T00:00:00Z', 'from'],
      ['?from=0001-01-01', 'from'],
      ['?from=0001-01-01&interval=month', 'from'],
      ['?from=2999-01-01&to=2999-01-02', 'from'],
      ['?to=', 'to'],
      ['?interval=week', 'interval'],
      ['?from=2020-01-01&from=2020-01-02', 'from'],
      ['?since=2020-01-01', 'since'],
    ]) {
      const refused = await caller.request('GET', `${PATH}${query}`);
      assert.equal(refused.code, 'INVALID_REQUEST', query);
      assert.match(refused.body, new RegExp(`"message":".*${field}`), query);
    }
    assert.equal((await guest.request('GET', `${PATH}?interval=day`)).code, 'ACCOUNT_REQUIRED');
    assert.equal((await guest.request('GET', PATH)).status, 200);
  });
});
