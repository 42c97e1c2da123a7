import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { ForecastResult } from '../../src/engine/index.ts';
import { listMemberships } from '../../src/workspaces/index.ts';
import { listenOnLoopback } from '../support/api/http.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { idsOf, watch } from '../support/forecasts/watch-forecast.ts';
import { testedKind } from '../support/platform/database.ts';
import { type MembershipSpec, makeMember } from '../support/workspaces/workspaces.ts';

const KEEP_ALIVE_MS = 15_000;

const kind = testedKind;
describe(`watching a forecast [${kind}]`, () => {
  let service: ForecastService;
  let port: number;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService(kind);
    port = await listenOnLoopback(service.app);
    result = await computeResult();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const createOne = async (caller: Caller, fields: object = {}) => (await create(caller, fields)).data.forecast_id;

  test('a client that has the last event of a finished forecast gets 204', async () => {
    const caller = await service.account();
    const [completed, canceled] = [await createOne(caller), await createOne(caller)];
    await runAttempt(service, await activateJob(service.database, completed), async () => result);
    await caller.request('POST', `${FORECASTS}/${canceled}/cancel`);
    for (const id of [completed, canceled]) {
      const get = (lastEventId?: number) =>
        service.app.inject({
          url: `/api${FORECASTS}/${id}/events`,
          headers: {
            ...caller.credentials,
            ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
          },
        });
      const complete = await get();
      const last = idsOf(complete.body).at(-1) ?? 0;
      assert.ok(last > 1 && complete.statusCode === 200);
      assert.deepEqual(idsOf((await get(0)).body), idsOf(complete.body));
      assert.deepEqual(idsOf((await get(last - 1)).body), [last]);
      for (const known of [last, last + 1, 2 ** 31 - 1]) {
        const { statusCode, body } = await get(known);
        assert.deepEqual([statusCode, body], [204, '']);
      }
    }
  });

  test('a client that has the latest event of an unfinished forecast gets an open stream', async () => {
    const caller = await service.account();
    const stream = await watch(port, caller, await createOne(caller), { 'last-event-id': '1' });
    assert.equal(stream.response.statusCode, 200);
    stream.response.destroy();
  });

  test('a caller that loses access is disconnected at the next keep-alive', async (context) => {
    const owner = await service.account();
    const [membership] = await listMemberships(service.database, String(owner.accountId));
    const workspace = { workspace_id: membership?.id, visibility: 'workspace' };
    const [withApiKey, downgraded, withSession, member, restricted, stranger, unaffected] = [
      await service.account(),
      await service.account(),
      await service.account('free'),
      await service.account(),
      await service.account(),
      await service.guest(),
      await service.account(),
    ];
    const shared = await createOne(owner, workspace);
    const selected: MembershipSpec = { forecasts_scope_mode: 'selected', forecasts_scope_ids: [shared] };
    await makeMember(service.database, membership?.id ?? '', member.accountId ?? '');
    await makeMember(service.database, membership?.id ?? '', restricted.accountId ?? '', selected);
    const published = await createOne(owner, { visibility: 'public' });
    const stillPublic = await createOne(owner, { visibility: 'public' });
    // Without its session the browser is still a guest, but it opened the stream as an account.
    const cookie = `${withSession.credentials.cookie}; ${stranger.credentials.cookie}`;
    const browser = { ...withSession, credentials: { cookie } };

    shortenKeepAlive(context);
    const open = (caller: Caller, id: string) => watch(port, caller, id);
    const leaving = [
      await open(withApiKey, await createOne(withApiKey)),
      await open(downgraded, stillPublic),
      await open(withSession, await createOne(withSession)),
      await open(browser, stillPublic),
      await open(member, shared),
      await open(restricted, shared),
      await open(stranger, published),
    ];
    const staying = [await open(unaffected, stillPublic), await open(owner, shared), await open(owner, published)];
    const all = [...leaving, ...staying];
    await until(() => all.every(({ text }) => text().split(': keep-alive').length > 2));
    assert.ok(all.every(({ response, text }) => !response.closed && text().includes('event: queued')));

    const keys = await withApiKey.request<{ api_keys: { id: string }[] }>('GET', '/v1/me/api-keys');
    for (const { id } of keys.data.api_keys) await withApiKey.request('DELETE', `/v1/me/api-keys/${id}`);
    assert.equal((await withSession.request('DELETE', '/v1/sessions/current')).status, 200);
    const db = service.database.query();
    await sql`DELETE FROM workspace_member WHERE account_id = ${member.accountId} AND workspace_id = ${membership?.id}`.execute(
      db,
    );
    await sql`UPDATE workspace_member SET forecasts_scope_ids = '{}' WHERE account_id = ${restricted.accountId}`.execute(
      db,
    );
    await sql`UPDATE forecast SET visibility = 'private' WHERE id = ${published}`.execute(db);
    await sql`UPDATE account SET plan = 'free' WHERE id = ${downgraded.accountId}`.execute(db);
    const received = staying.map(({ text }) => text().length);
    await until(() => leaving.every(({ response }) => response.closed));
    await until(() => staying.every(({ text }, i) => text().length > (received[i] ?? 0)));
    for (const { text, response } of leaving) {
      assert.ok(response.complete, 'the body ended regularly');
      assert.ok(!text().includes('event: error'));
    }
    assert.ok(staying.every(({ response }) => !response.closed));
    for (const { response } of staying) response.destroy();
  });
});

/** Sends keep-alives a few times a second and leaves other timers unchanged. */
function shortenKeepAlive({ mock }: TestContext): void {
  const original = globalThis.setTimeout;
  const shortened = (work: (...rest: unknown[]) => void, ms?: number, ...rest: unknown[]) =>
    original(work, ms === KEEP_ALIVE_MS ? 200 : ms, ...rest);
  mock.method(globalThis, 'setTimeout', shortened as typeof setTimeout);
}

function until(condition: () => boolean): Promise<boolean> {
  return waitFor(async () => condition(), Boolean, 20_000);
}
