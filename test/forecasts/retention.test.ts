import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Account } from '../../src/access/index.ts';
import type { ForecastResult } from '../../src/engine/index.ts';
import {
  checkLedger,
  checkStorage,
  deleteForecast,
  findForecast,
  isLedgerSound,
  prepareSave,
  saveForecast,
  watchEvents,
} from '../../src/forecasts/index.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { countAllRows, simulateTime } from '../support/forecasts/guest-day.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { DAY } from '../support/identity/identity.ts';
import { testedKind } from '../support/platform/database.ts';

describe(`what is kept, and how long [${testedKind}]`, () => {
  let service: ForecastService;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService(testedKind);
    result = await computeResult();
    // The key of an installation is created when it is first used.
    await service.forecasts.guestNetworkKey();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const complete = async (id: string) =>
    runAttempt(service, await activateJob(service.database, id), async () => result);

  async function checkSoundness(): Promise<void> {
    const report = await checkLedger(service.database);
    assert.ok(isLedgerSound(report), JSON.stringify(report));
    assert.deepEqual(await checkStorage(service.database), []);
  }

  async function account(): Promise<Account> {
    const { accountId } = await service.account();
    return { kind: 'account', accountId, plan: 'pro', scopes: [] } as unknown as Account;
  }

  test('a day of guests who create and cancel leaves nothing after 31 quiet days', async () => {
    const time = simulateTime(service);
    const before = await countAllRows(service);
    for (let guestNumber = 0; guestNumber < 3; guestNumber++) {
      const guest = await time.newGuest();
      const network = `203.0.113.${guestNumber % 2}`;
      for (let round = 0; round < 2; round++) {
        const id = await time.create(guest, { network, idempotencyKey: `round-${round}` });
        await time.cancel(guest, id);
        time.clock.advance(DAY / 8);
      }
      const completed = await time.create(guest, { network });
      await complete(completed);
      // A forecast that the guest deletes itself, and one that is still queued when the session expires.
      if (guestNumber === 0) await deleteForecast(time.context, guest, completed);
      if (guestNumber === 1) await time.create(guest, { network });
    }
    await checkSoundness();
    assert.notDeepEqual(await countAllRows(service), before);
    await time.passDays(31);
    assert.deepEqual(await countAllRows(service), before);
    await checkSoundness();
  });

  test('a forecast that an account has saved stays when its guest expires, with its charge', async () => {
    const time = simulateTime(service);
    const before = await countAllRows(service);
    const [guest, saver] = [await time.newGuest(), await account()];
    const id = await time.create(guest, { network: '203.0.113.9' });
    await complete(id);
    const { secret } = await prepareSave(time.context, guest, id);
    await saveForecast(time.context, saver, id, secret);
    await time.passDays(32);
    const kept = await findForecast(time.context, saver, id, 'forecast.read');
    assert.deepEqual([kept.status, kept.owner, kept.guest_network], ['completed', saver.accountId, null]);
    await checkSoundness();
    await deleteForecast(time.context, saver, id);
    await time.passDays(2);
    const { 'public.removed_forecast': receipts = 0, ...rest } = relativeTo(before, await countAllRows(service));
    assert.equal(receipts, 1, 'the receipt stays');
    assert.deepEqual(
      Object.keys(rest).filter((name) => !/account|api_key|member|workspace|security|usage_day/.test(name)),
      [],
    );
    await checkSoundness();
  });

  test('the forecasts of accounts stay; failed ones lose their snapshots and all their progress after the retention', async () => {
    const time = simulateTime(service, { retention: { failedSnapshotDays: 3, progressDays: 2 } });
    const owner = await account();
    const [completed, canceled] = [await time.create(owner), await time.create(owner)];
    await complete(completed);
    await time.cancel(owner, canceled);
    const snapshotOf = async (id: string) => (await findForecast(time.context, owner, id, 'forecast.read')).snapshot_id;
    await time.passDays(1);
    assert.ok((await eventKinds(completed)).length > 1);
    await time.passDays(2);
    assert.ok(await snapshotOf(canceled));
    await time.passDays(31);
    assert.deepEqual([await snapshotOf(canceled), (await snapshotOf(completed)) === null], [null, false]);
    assert.deepEqual([await eventKinds(completed), await eventKinds(canceled)], [['completed'], ['failed']]);
    const watched = [];
    const { signal } = new AbortController();
    for await (const { kind } of watchEvents(service, completed, 0, signal)) watched.push(kind);
    assert.deepEqual(watched, ['completed']);
    await checkSoundness();
  });

  async function eventKinds(id: string): Promise<string[]> {
    const { rows } = await sql<{ kind: string }>`
      SELECT kind FROM forecast_event WHERE forecast_id = ${id} ORDER BY number`.execute(service.database.query());
    return rows.map(({ kind }) => kind);
  }
});

/** Returns the tables that have more or fewer rows than before. */
function relativeTo(before: Record<string, number>, now: Record<string, number>): Record<string, number> {
  const changes = Object.entries(now).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}
