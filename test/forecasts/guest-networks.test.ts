import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { ForecastResult } from '../../src/engine/index.ts';
import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import type { ForecastTables } from '../../src/forecasts/tables.ts';
import { requestAs, type SendRequest } from '../support/api/request-as.ts';
import {
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';

const SLOTS = 10;

const kind = testedKind;
describe(`guests of one network [${kind}]`, () => {
  let service: ForecastService;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService(kind);
    result = await computeResult();
  });
  after(() => service?.[Symbol.asyncDispose]());
  afterEach(async () => {
    const report = await checkLedger(service.database);
    assert.ok(isLedgerSound(report), JSON.stringify(report));
  });

  const guestAt = async (address: string): Promise<SendRequest> =>
    requestAs(service.app, (await service.guest()).credentials, address);
  const start = (request: SendRequest) => request<Started>('POST', FORECASTS, inlineRequest());
  const fill = async (address: string) => {
    const started: { request: SendRequest; id: string }[] = [];
    while (started.length < SLOTS) {
      const request = await guestAt(address);
      const { status, data, body } = await start(request);
      assert.equal(status, 202, body);
      started.push({ request, id: data.forecast_id });
    }
    return started;
  };

  test('share ten slots, each of which is released when its forecast ends', async () => {
    const [first, second] = await fill('2001:db8:1:2::1');
    assert.ok(first && second);
    const eleventh = await guestAt('2001:db8:1:2:ffff::9');
    const refused = await start(eleventh);
    assert.deepEqual([refused.status, refused.code], [429, 'QUOTA_EXCEEDED']);
    assert.match(
      JSON.parse(refused.body).error.message,
      /^The guests of your network can have 10 forecasts queued or running\./,
    );
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    const { data: usage } = await eleventh<{ slots: object }>('GET', '/v1/me/usage');
    assert.deepEqual(usage.slots, { limit: 1, used: 0, left: 0 }, 'the usage of a guest shows it');

    assert.equal((await start(await guestAt('2001:db8:1:3::1'))).status, 202, 'another network has slots of its own');
    const { credentials } = await service.account();
    assert.equal(
      (await start(requestAs(service.app, credentials, '2001:db8:1:2::1'))).status,
      202,
      'an account has slots of its own',
    );

    for (let i = 0; i < 2; i += 1) await first.request('POST', `${FORECASTS}/${first.id}/cancel`);
    assert.equal((await start(eleventh)).status, 202);
    assert.equal(
      (await start(first.request)).code,
      'QUOTA_EXCEEDED',
      'a repeated cancellation releases no second slot',
    );
    await runAttempt(service, await activateJob(service.database, second.id), async () => result);
    const again = await second.request('POST', `${FORECASTS}/${second.id}/reproduce`);
    assert.equal(again.status, 202, 'a reproduction takes the slot of a completed forecast');
    assert.equal((await start(first.request)).code, 'QUOTA_EXCEEDED');
  });

  test('release a slot under the name it was stored with, whatever key made that name', async () => {
    const request = await guestAt('198.51.100.7');
    const { data } = await start(request);
    const db = service.database.query<ForecastTables>();
    const { network } = await db
      .selectFrom('network_slot')
      .select('network')
      .where('forecast_id', '=', data.forecast_id)
      .executeTakeFirstOrThrow();
    // As if the name had been made with another key, such as that of an earlier version.
    const earlier = `network:${'0'.repeat(32)}`;
    await db.updateTable('network_slot').set({ network: earlier }).where('network', '=', network).execute();
    await db.updateTable('admission').set({ owner: earlier }).where('owner', '=', network).execute();
    assert.equal((await request('POST', `${FORECASTS}/${data.forecast_id}/cancel`)).status, 200);
    const { active } = await db
      .selectFrom('admission')
      .select('active')
      .where('owner', '=', earlier)
      .executeTakeFirstOrThrow();
    assert.equal(active, 0);
    const left = await db.selectFrom('network_slot').select('network').where('network', '=', earlier).execute();
    assert.deepEqual(left, []);
  });

  test('take no more than ten slots with concurrent requests', async () => {
    const guests = await Promise.all(Array.from({ length: 2 * SLOTS }, () => guestAt('192.0.2.1')));
    const replies = await Promise.all(guests.map(start));
    const taken = replies.filter(({ status }) => status === 202);
    assert.equal(taken.length, SLOTS);
    assert.ok(replies.every(({ status, code }) => status === 202 || code === 'QUOTA_EXCEEDED'));
    const ends = guests.map((request, i) => request('POST', `${FORECASTS}/${replies[i]?.data?.forecast_id}/cancel`));
    await Promise.all(ends);
    assert.equal((await start(await guestAt('192.0.2.1'))).status, 202);
  });
});
