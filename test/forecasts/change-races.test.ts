import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Account } from '../../src/access/index.ts';
import type { ForecastResult } from '../../src/engine/index.ts';
import { checkLedger, checkStorage, isLedgerSound, updateForecast } from '../../src/forecasts/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, createDirectly, runAttempt } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeMember, makeWorkspace, WORKSPACES } from '../support/workspaces/workspaces.ts';

/** The rounds of each race. */
const ROUNDS = Number(process.env.ALMANAC_RACES ?? 6);
const skip = testedKind !== 'postgres' && 'races need several connections: TEST_DATABASE_URL is not set';

describe(`races of changes of a forecast, ${ROUNDS} rounds each`, { skip }, () => {
  let service: ForecastService;
  let caller: Caller;
  let result: ForecastResult;
  before(async () => {
    service = await openForecastService('postgres');
    caller = await service.account('enterprise');
    result = await computeResult();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const pathOf = (id: string) => `${FORECASTS}/${id}`;
  const change = ({ request }: Caller, id: string, body: object) => request<Titled>('PATCH', pathOf(id), body);
  const complete = async (id: string) =>
    runAttempt(service, await activateJob(service.database, id), async () => result);
  interface Titled {
    readonly title: string | null;
  }

  async function rowsOf(statement: ReturnType<typeof sql>): Promise<readonly unknown[]> {
    return (await statement.execute(service.database.query())).rows;
  }

  test('of changes with the same If-Match, exactly one succeeds and none is lost', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await createDirectly(service, caller);
      const { headers } = await caller.request('GET', pathOf(id));
      const conditional = requestAs(service.app, { ...caller.credentials, 'if-match': String(headers.etag) });
      const replies = await Promise.all(
        ['a', 'b', 'c', 'd'].map((title) => conditional<Titled>('PATCH', pathOf(id), { title })),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412, 412, 412]);
      const winner = replies.find(({ status }) => status === 200);
      const { data, headers: after } = await caller.request<Titled>('GET', pathOf(id));
      assert.deepEqual([data.title, after.etag], [winner?.data.title, winner?.headers.etag]);
      await caller.request('DELETE', pathOf(id));
    }
  });

  test('a change and a conditional deletion of the same version: one succeeds', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await createDirectly(service, caller);
      const { headers } = await caller.request('GET', pathOf(id));
      const conditional = requestAs(service.app, { ...caller.credentials, 'if-match': String(headers.etag) });
      const [changed, removed] = await Promise.all([
        conditional('PATCH', pathOf(id), { title: 'Kept' }),
        conditional('DELETE', pathOf(id)),
      ]);
      const isKept = (await caller.request('GET', pathOf(id))).status === 200;
      assert.deepEqual([changed.status, removed.status], isKept ? [200, 412] : [404, 200]);
      await caller.request('DELETE', pathOf(id));
    }
  });

  test('a forecast that is changed and deleted in a workspace is gone, also from the scopes', async () => {
    const member = await service.account('enterprise');
    const { id: workspace_id } = await makeWorkspace(service.database, caller.accountId ?? '');
    const { forecast_id: shared } = (await create(caller, { workspace_id })).data;
    await makeMember(service.database, workspace_id, member.accountId ?? '', {
      role: 'editor',
      forecasts_scope_mode: 'selected',
      forecasts_scope_ids: [shared],
    });
    for (let round = 0; round < ROUNDS; round++) {
      const { forecast_id: id } = (await create(member, { workspace_id, visibility: 'private' })).data;
      const [changed, removed] = await Promise.all([
        change(member, id, { visibility: 'workspace' }),
        caller.request('DELETE', pathOf(id)),
      ]);
      assert.ok([200, 404].includes(changed.status), changed.body);
      assert.equal(removed.status, 200, removed.body);
      const { data } = await member.request<{ resource_scope: { forecasts: { ids: string[] } } }>(
        'GET',
        `${WORKSPACES}/${workspace_id}`,
      );
      assert.deepEqual(data.resource_scope.forecasts.ids, [shared]);
    }
    assert.ok(isLedgerSound(await checkLedger(service.database)));
    assert.deepEqual(await checkStorage(service.database), []);
  });

  test('a guest that renames a forecast while an account saves it changes it before, or not at all', async () => {
    const saver = await service.account();
    for (let round = 0; round < ROUNDS; round++) {
      const guest = await service.guest();
      const { forecast_id: id } = (await create(guest)).data;
      await complete(id);
      const { cookies } = await guest.request('POST', `${pathOf(id)}/prepare-save`);
      const cookie = cookies.map((text) => text.split(';')[0]).join('; ');
      const save = requestAs(service.app, { ...saver.credentials, cookie })('POST', `${pathOf(id)}/save`);
      const [changed, saved] = await Promise.all([change(guest, id, { title: 'Guest' }), save]);
      assert.equal(saved.status, 200, saved.body);
      assert.ok([200, 404].includes(changed.status), changed.body);
      const { data } = await saver.request<Titled>('GET', pathOf(id));
      assert.equal(data.title, changed.status === 200 ? 'Guest' : null);
      assert.equal((await change(guest, id, { title: 'Late' })).status, 404);
      assert.equal((await change(saver, id, { visibility: 'public', title: 'Saved' })).data.title, 'Saved');
    }
  });

  test('a forecast that becomes public while it completes is handed over to be stamped', async () => {
    const account = { kind: 'account', accountId: caller.accountId } as Account;
    const stamps = { isConfigured: true, selection: 'public' as const };
    const forecasts = { ...service.forecasts, stamps };
    for (let round = 0; round < ROUNDS; round++) {
      const id = await createDirectly(service, caller);
      const job = await activateJob(service.database, id);
      await Promise.all([
        runAttempt({ ...service, forecasts }, job, async () => result),
        updateForecast(forecasts, account, id, { visibility: 'public' }),
      ]);
      assert.equal((await rowsOf(sql`SELECT 1 FROM proof WHERE subject = ${id}`)).length, 1);
      const { data } = await caller.request<{ status: string; visibility: string }>('GET', pathOf(id));
      assert.deepEqual([data.status, data.visibility], ['completed', 'public']);
    }
  });
});
