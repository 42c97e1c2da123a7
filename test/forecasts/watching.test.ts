import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { after, before, describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { ForecastResult } from '../../src/engine/index.ts';
import { listMemberships } from '../../src/workspaces/index.ts';
import { listenOnLoopback } from '../support/api/http.ts';
import {
  create,
  eventually,
  FORECASTS,
  type ForecastService,
  openForecastService,
  type Person,
} from '../support/forecasts/forecast-service.ts';
import { runByHand, takeJob, trueResult } from '../support/forecasts/run-by-hand.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeMember, type PlaceSpec } from '../support/workspaces/workspaces.ts';

const KEEP_ALIVE_MS = 15_000;

const kind = testedKind;
describe(`watching a forecast [${kind}]`, () => {
  let service: ForecastService;
  let port: number;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService(kind);
    port = await listenOnLoopback(service.app);
    result = await trueResult();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const made = async (person: Person, fields: object = {}) => (await create(person, fields)).data.forecast_id;

  test('who has had the last event of a forecast that has ended gets 204', async () => {
    const person = await service.account();
    const [completed, canceled] = [await made(person), await made(person)];
    await runByHand(service, await takeJob(service.database, completed), async () => result);
    await person.ask('POST', `${FORECASTS}/${canceled}/cancel`);
    for (const id of [completed, canceled]) {
      const get = (lastEventId?: number) =>
        service.app.inject({
          url: `/api${FORECASTS}/${id}/events`,
          headers: {
            ...person.credentials,
            ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
          },
        });
      const whole = await get();
      const last = idsOf(whole.body).at(-1) ?? 0;
      assert.ok(last > 1 && whole.statusCode === 200);
      assert.deepEqual(idsOf((await get(0)).body), idsOf(whole.body));
      assert.deepEqual(idsOf((await get(last - 1)).body), [last]);
      for (const known of [last, last + 1, 2 ** 31 - 1]) {
        const { statusCode, body } = await get(known);
        assert.deepEqual([statusCode, body], [204, '']);
      }
    }
  });

  test('who has had the latest event of one that goes on waits for the next', async () => {
    const person = await service.account();
    const stream = await watch(port, person, await made(person), { 'last-event-id': '1' });
    assert.equal(stream.response.statusCode, 200);
    stream.response.destroy();
  });

  test('who may no longer read it is shown out with the next keep-alive', async (context) => {
    const owner = await service.account();
    const [place] = await listMemberships(service.database, String(owner.accountId));
    const workspace = { workspace_id: place?.id, visibility: 'workspace' };
    const [keyed, downgraded, inSession, member, bounded, stranger, stayer] = [
      await service.account(),
      await service.account(),
      await service.account('free'),
      await service.account(),
      await service.account(),
      await service.guest(),
      await service.account(),
    ];
    const shared = await made(owner, workspace);
    const selected: PlaceSpec = { forecasts_scope_mode: 'selected', forecasts_scope_ids: [shared] };
    await makeMember(service.database, place?.id ?? '', member.accountId ?? '');
    await makeMember(service.database, place?.id ?? '', bounded.accountId ?? '', selected);
    const published = await made(owner, { visibility: 'public' });
    const forEveryone = await made(owner, { visibility: 'public' });
    // Without its session the browser would still be a guest, but it asked as somebody else.
    const cookie = `${inSession.credentials.cookie}; ${stranger.credentials.cookie}`;
    const browser = { ...inSession, credentials: { cookie } };

    hurry(context);
    const open = (person: Person, id: string) => watch(port, person, id);
    const leaving = [
      await open(keyed, await made(keyed)),
      await open(downgraded, forEveryone),
      await open(inSession, await made(inSession)),
      await open(browser, forEveryone),
      await open(member, shared),
      await open(bounded, shared),
      await open(stranger, published),
    ];
    const staying = [await open(stayer, forEveryone), await open(owner, shared), await open(owner, published)];
    const all = [...leaving, ...staying];
    await until(() => all.every(({ text }) => text().split(': keep-alive').length > 2));
    assert.ok(all.every(({ response, text }) => !response.closed && text().includes('event: queued')));

    const keys = await keyed.ask<{ api_keys: { id: string }[] }>('GET', '/v1/me/api-keys');
    for (const { id } of keys.data.api_keys) await keyed.ask('DELETE', `/v1/me/api-keys/${id}`);
    assert.equal((await inSession.ask('DELETE', '/v1/sessions/current')).status, 200);
    const db = service.database.query();
    await sql`DELETE FROM workspace_member WHERE account_id = ${member.accountId} AND workspace_id = ${place?.id}`.execute(
      db,
    );
    await sql`UPDATE workspace_member SET forecasts_scope_ids = '{}' WHERE account_id = ${bounded.accountId}`.execute(
      db,
    );
    await sql`UPDATE forecast SET visibility = 'private' WHERE id = ${published}`.execute(db);
    await sql`UPDATE account SET plan = 'free' WHERE id = ${downgraded.accountId}`.execute(db);
    const heard = staying.map(({ text }) => text().length);
    await until(() => leaving.every(({ response }) => response.closed));
    await until(() => staying.every(({ text }, i) => text().length > (heard[i] ?? 0)));
    for (const { text, response } of leaving) {
      assert.ok(response.complete, 'the body ended as it should');
      assert.ok(!text().includes('event: error'));
    }
    assert.ok(staying.every(({ response }) => !response.closed));
    for (const { response } of staying) response.destroy();
  });
});

/** Makes keep-alives come a few times a second, and nothing else sooner. */
function hurry({ mock }: TestContext): void {
  const unhurried = globalThis.setTimeout;
  const hurried = (work: (...rest: unknown[]) => void, ms?: number, ...rest: unknown[]) =>
    unhurried(work, ms === KEEP_ALIVE_MS ? 200 : ms, ...rest);
  mock.method(globalThis, 'setTimeout', hurried as typeof setTimeout);
}

function until(isSo: () => boolean): Promise<boolean> {
  return eventually(async () => isSo(), Boolean, 20_000);
}

interface Watched {
  readonly response: IncomingMessage;
  /** What came so far. */
  readonly text: () => string;
}

function watch(port: number, { credentials }: Person, id: string, headers: object = {}): Promise<Watched> {
  return new Promise((resolve, reject) => {
    const path = `/api${FORECASTS}/${id}/events`;
    const outgoing = request({ host: '127.0.0.1', port, path, headers: { ...credentials, ...headers }, agent: false });
    outgoing.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', () => {});
      resolve({ response, text: () => text });
    });
    outgoing.end();
  });
}

function idsOf(text: string): number[] {
  return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
}
