import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { z } from 'zod';
import { SCOPES, type UsageRecord } from '../../src/contract/index.ts';
import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { countRows } from '../support/forecasts/forecast-counts.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { withKey } from '../support/identity/callers.ts';
import { testedKind } from '../support/platform/database.ts';
import { readTableVersions } from '../support/platform/table-versions.ts';
import { DAILY_CSV } from '../support/workspaces/csv-files.ts';
import { makeMember, makeWorkspace, register } from '../support/workspaces/workspaces.ts';

type Usage = z.output<typeof UsageRecord>;
type Requester = Pick<Caller, 'request'>;

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
    assert.match(refused.body, /This forecast costs 700 credits; 500 of your 500 credits for this month are left\./);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.deepEqual(await countRows(service.database), rows);
  });

  const USAGE = '/v1/me/usage';
  const readUsage = async ({ request }: Requester) => (await request<Usage>('GET', USAGE)).data;

  test('usage shows the reservation of a queued forecast and the credits of a completed one', async () => {
    const caller = await service.account('pro');
    const { request } = caller;
    const fresh = await readUsage(caller);
    assert.deepEqual(fresh, {
      plan: 'pro',
      period: fresh.period,
      credits: { limit: 50_000, used: 0, reserved: 0, left: 50_000 },
      slots: { limit: 4, used: 0, left: 4 },
      requests: fresh.requests,
      storage: { bytes: 0, limit_bytes: 20 * 1024 ** 3, csv_bytes: 0, snapshot_bytes: 0, forecast_bytes: 0 },
    });
    const start = new Date(fresh.period.start);
    assert.match(fresh.period.start, /-01T00:00:00\.000Z$/);
    assert.equal(Date.parse(fresh.period.end), Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));

    const { data } = await create(caller);
    const queued = await readUsage(caller);
    const cost = queued.credits.reserved;
    assert.ok(cost > 0);
    assert.deepEqual(queued.credits, { limit: 50_000, used: 0, reserved: cost, left: 50_000 - cost });
    assert.deepEqual(queued.slots, { limit: 4, used: 1, left: 3 });
    assert.ok(queued.storage.snapshot_bytes > 0);
    await request('POST', `${FORECASTS}/${data.forecast_id}/reproduce`);
    const both = await readUsage(caller);
    assert.deepEqual([both.credits.reserved, both.slots.used], [2 * cost, 2]);
    const [one, two] = [queued.storage, both.storage];
    assert.equal(two.snapshot_bytes, one.snapshot_bytes, 'a snapshot of two forecasts is counted once');
    assert.ok(two.bytes > one.bytes && two.bytes < 2 * one.bytes - one.snapshot_bytes + 100);

    const result = await computeResult();
    await runAttempt(service, await activateJob(service.database, data.forecast_id), async () => result);
    const completed = await readUsage(caller);
    assert.deepEqual(completed.credits, { limit: 50_000, used: cost, reserved: cost, left: 50_000 - 2 * cost });
    assert.deepEqual(completed.slots, { limit: 4, used: 1, left: 3 });
  });

  test('usage has null for unlimited credits', async () => {
    const caller = await service.account('enterprise');
    await create(caller);
    const { plan, credits } = await readUsage(caller);
    assert.deepEqual([plan, credits], ['enterprise', { limit: null, used: 0, reserved: credits.reserved, left: null }]);
    assert.ok(credits.reserved > 0);
  });

  test('usage of a guest is found by its cookie, and no guest is created for a caller without one', async () => {
    const guest = await service.guest();
    await create(guest);
    const { plan, credits, slots, storage } = await readUsage(guest);
    assert.equal(plan, 'guest');
    assert.deepEqual(credits, { limit: 500, used: 0, reserved: credits.reserved, left: 500 - credits.reserved });
    assert.deepEqual(slots, { limit: 1, used: 1, left: 0 });
    assert.deepEqual([storage.csv_bytes, storage.limit_bytes], [0, 32 * 1024 ** 2]);
    assert.ok(storage.snapshot_bytes > 0 && storage.bytes > storage.snapshot_bytes);
    const before = await readTableVersions(service.database);
    const refused = await requestAs(service.app, {})('GET', USAGE);
    assert.deepEqual([refused.status, refused.code, refused.cookies], [401, 'UNAUTHENTICATED', []]);
    assert.deepEqual(await readTableVersions(service.database), before);
  });

  test('usage counts its own request once, as the RateLimit headers do, and changes nothing else', async () => {
    const { request } = await service.account('pro');
    const first = await request<Usage>('GET', USAGE);
    const before = await countRows(service.database);
    const second = await request<Usage>('GET', USAGE);
    assert.equal(first.data.requests.left - second.data.requests.left, 1);
    for (const { data, headers } of [first, second]) {
      assert.equal(String(data.requests.limit), headers['ratelimit-limit']);
      assert.equal(String(data.requests.left), headers['ratelimit-remaining']);
      assert.ok(Date.parse(data.requests.resets_at) > Date.parse(data.period.start));
    }
    assert.deepEqual(await countRows(service.database), before);
  });

  test('usage needs a key with the scope account:read', async () => {
    const { accountId } = await service.account('pro');
    const without = SCOPES.filter((scope) => scope !== 'account:read');
    const refused = await requestAs(service.app, await withKey(service.identity, accountId ?? '', without))(
      'GET',
      USAGE,
    );
    assert.deepEqual([refused.status, refused.code], [403, 'SCOPE_DENIED']);
  });

  test('a member uses the credits, slots and storage of the workspace’s owner', async () => {
    const owner = await register(service);
    const member = await register(service);
    const { id } = await makeWorkspace(service.database, owner.id);
    await makeMember(service.database, id, member.id, { role: 'editor' });
    const untouched = await readUsage(member);
    assert.equal((await create(member, { workspace_id: id })).status, 202);
    assert.equal((await member.request('POST', `/v1/workspaces/${id}/csv?name=daily.csv`, DAILY_CSV)).status, 201);
    const ofMember = await readUsage(member);
    for (const part of ['credits', 'slots', 'storage'] as const)
      assert.deepEqual(ofMember[part], untouched[part], part);
    const { credits, slots, storage } = await readUsage(owner);
    assert.ok(credits.reserved > 0);
    assert.equal(slots.used, 1);
    assert.deepEqual([storage.csv_bytes, storage.limit_bytes], [Buffer.byteLength(DAILY_CSV), 20 * 1024 ** 3]);
    assert.ok(storage.snapshot_bytes > 0 && storage.forecast_bytes > 0);
    assert.equal(storage.csv_bytes + storage.snapshot_bytes + storage.forecast_bytes, storage.bytes);
  });
});
