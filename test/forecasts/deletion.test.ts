import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { ForecastResult } from '../../src/engine/index.ts';
import { checkLedger, checkStorage, isLedgerSound, watchEvents } from '../../src/forecasts/index.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, createDirectly, runAttempt } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';
import { moveToFuture } from '../support/scout/events.ts';

/** The rounds of each race. */
const ROUNDS = Number(process.env.ALMANAC_RACES ?? 6);

describe(`deleting a forecast [${testedKind}]`, () => {
  let service: ForecastService;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService(testedKind);
    result = await computeResult();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const remove = ({ request }: Caller, id: string) => request<object>('DELETE', `${FORECASTS}/${id}`);
  const complete = async (id: string) =>
    runAttempt(service, await activateJob(service.database, id), async () => result);

  async function checkSoundness(): Promise<void> {
    const report = await checkLedger(service.database);
    assert.ok(isLedgerSound(report), JSON.stringify(report));
    assert.deepEqual(await checkStorage(service.database), []);
  }

  async function countOf(table: string, column: string, value: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${value}`.execute(
      service.database.query(),
    );
    return rows[0]?.count ?? 0;
  }

  test('deletes a completed forecast by its slug; its cost stays spent and its receipt stays without content', async () => {
    const caller = await service.account();
    const { forecast_id: id, slug } = (await create(caller)).data;
    await complete(id);
    const usage = await caller.request<{ credits: { used: number } }>('GET', '/v1/me/usage');
    const { status, data } = await remove(caller, slug);
    assert.deepEqual([status, data], [200, { forecast_id: id, removed: true }]);
    for (const path of ['', '/proof', '/events', '/export']) {
      assert.equal((await caller.request('GET', `${FORECASTS}/${id}${path}`)).status, 404, path);
    }
    const again = await remove(caller, id);
    assert.deepEqual([again.status, again.code], [404, 'NOT_FOUND']);
    for (const [table, column] of [
      ['forecast_event', 'forecast_id'],
      ['snapshot_holder', 'holder'],
      ['ledger_entry', 'forecast_id'],
    ] as const) {
      assert.equal(await countOf(table, column, id), 0, table);
    }
    assert.equal(await countOf('removed_forecast', 'slug', slug), 1);
    const after = await caller.request<{ credits: { used: number }; storage: object }>('GET', '/v1/me/usage');
    assert.ok(after.data.credits.used > 0);
    assert.equal(after.data.credits.used, usage.data.credits.used);
    await checkSoundness();
  });

  test('cancels a queued or running forecast first, and releases its slot and its credits once', async () => {
    const caller = await service.account('free');
    for (const isRunning of [false, true]) {
      const id = (await create(caller)).data.forecast_id;
      const events: string[] = [];
      const { signal } = new AbortController();
      const watching = (async () => {
        for await (const { kind } of watchEvents(service, id, 0, signal, { pollMs: 10 })) events.push(kind);
      })();
      const run = async () => {
        const started = Promise.withResolvers<void>();
        const deleted = Promise.withResolvers<void>();
        const running = runAttempt(service, await activateJob(service.database, id), async () => {
          started.resolve();
          await deleted.promise;
          return result;
        });
        await started.promise;
        assert.equal((await remove(caller, id)).status, 200);
        deleted.resolve();
        await running;
      };
      await (isRunning ? run() : remove(caller, id));
      await watching;
      assert.ok(!events.includes('completed'));
      const usage = await caller.request<{ slots: object; credits: { used: number; reserved: number } }>(
        'GET',
        '/v1/me/usage',
      );
      assert.deepEqual(usage.data.slots, { limit: 1, used: 0, left: 1 });
      assert.deepEqual([usage.data.credits.used, usage.data.credits.reserved], [0, 0]);
      await checkSoundness();
    }
  });

  test('reproductions keep their snapshot, and questions stay', async () => {
    const caller = await service.account();
    const id = (await create(caller)).data.forecast_id;
    await complete(id);
    await moveToFuture(service.database, id);
    const question = await caller.request<{ events: { id: string }[] }>('POST', '/v1/scout/from-forecast', {
      forecast_id: id,
      thresholds: [120],
    });
    assert.equal(question.status, 201, question.body);
    const copy = await caller.request<{ forecast_id: string }>('POST', `${FORECASTS}/${id}/reproduce`);
    assert.equal((await remove(caller, id)).status, 200);
    await complete(copy.data.forecast_id);
    const read = await caller.request<{ status: string; reproduces: null; comparison: null }>(
      'GET',
      `${FORECASTS}/${copy.data.forecast_id}`,
    );
    assert.deepEqual([read.data.status, read.data.reproduces, read.data.comparison], ['completed', null, null]);
    const questions = await caller.request('GET', `/v1/forecasts?source_forecast_id=${id}`);
    assert.equal(questions.status, 200);
    assert.equal(await countOf('event_forecast', 'source_forecast_id', id), 1);
    await checkSoundness();
  });

  const skip = testedKind !== 'postgres' && 'races need several connections: TEST_DATABASE_URL is not set';

  test('races with completion, cancellation, reproduction and another deletion leave a sound ledger', {
    skip,
  }, async () => {
    const caller = await service.account('enterprise');
    const contenders: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
      completion: async (id) => complete(id).catch(() => undefined),
      cancellation: (id) => caller.request('POST', `${FORECASTS}/${id}/cancel`),
      reproduction: (id) => caller.request('POST', `${FORECASTS}/${id}/reproduce`),
      deletion: (id) => remove(caller, id),
    };
    for (const [name, contend] of Object.entries(contenders)) {
      for (let round = 0; round < ROUNDS; round++) {
        const id = await createDirectly(service, caller);
        const [deleted, other] = await Promise.all([remove(caller, id), contend(id)]);
        const statuses = [deleted.status, (other as { status?: number } | undefined)?.status ?? 200];
        assert.ok(
          statuses.every((status) => [200, 202, 404].includes(status)),
          `${name}: ${statuses.join(', ')}`,
        );
        if (name === 'deletion') assert.deepEqual(statuses.sort(), [200, 404]);
        assert.equal((await remove(caller, id)).status, 404, 'it is gone');
        const copies = await caller.request<{ forecasts: { forecast_id: string }[] }>('GET', FORECASTS);
        for (const copy of copies.data.forecasts) await remove(caller, copy.forecast_id);
        await checkSoundness();
      }
    }
    const { rows } = await sql`SELECT owner FROM admission WHERE active <> 0 AND owner = ${caller.accountId}`.execute(
      service.database.query(),
    );
    assert.deepEqual(rows, []);
  });

  test('of a guest that deletes and an account that saves, one succeeds', { skip }, async () => {
    const saver = await service.account();
    for (let round = 0; round < ROUNDS; round++) {
      const guest = await service.guest();
      const id = (await create(guest)).data.forecast_id;
      await complete(id);
      const { cookies } = await guest.request('POST', `${FORECASTS}/${id}/prepare-save`);
      const cookie = cookies.map((text) => text.split(';')[0]).join('; ');
      const save = service.app.inject({
        method: 'POST',
        url: `/api${FORECASTS}/${id}/save`,
        headers: { ...saver.credentials, cookie },
      });
      const [deleted, saved] = await Promise.all([remove(guest, id), save]);
      const kept = await countOf('forecast', 'id', id);
      assert.deepEqual(
        [deleted.status === 200, saved.statusCode === 200],
        [kept === 0, kept === 1],
        `${deleted.status} ${saved.statusCode} ${saved.body}`,
      );
      await checkSoundness();
    }
  });
});
