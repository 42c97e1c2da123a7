import assert from 'node:assert/strict';
import { MIGRATIONS, QUEUES } from '../../src/compose/index.ts';
import { openDatabase, openQueue } from '../../src/platform/index.ts';
import type { MembershipView } from '../../src/workspaces/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { requestAs } from '../support/api/request-as.ts';
import { FORECASTS, inlineRequest, type Started } from '../support/forecasts/forecast-service.ts';
import { makeAccount, withKey } from '../support/identity/callers.ts';
import { forEachDatabase, type TestDatabase } from '../support/platform/database.ts';
import { joinByInvitation, makeWorkspace, WORKSPACES } from '../support/workspaces/workspaces.ts';

/** Opens two services on one database with separate connections, as two processes have. */
async function openTwo(fixture: TestDatabase): Promise<readonly [TestApi, TestApi]> {
  const open = async () => {
    const database = await openDatabase(fixture.location);
    const queue = await openQueue(database, { queues: QUEUES, supervise: false });
    const api = await openApi(database, { ALMANAC_RATE_PRO: '1000000' }, undefined, queue);
    fixture.cleanup(async () => {
      await api.app.close();
      await queue.stop({ timeoutMs: 1_000 });
      await database.close();
    });
    return api;
  };
  return [await open(), await open()];
}

forEachDatabase(
  'applies a change of a membership in every process from the next request on',
  { migrations: MIGRATIONS, queue: true, only: 'postgres' },
  async (fixture) => {
    const apis = await openTwo(fixture);
    const [{ app, identity }] = apis;
    const owner = await makeAccount(identity, { password: null });
    const member = await makeAccount(identity, { password: null });
    const { id } = await makeWorkspace(fixture.database, owner.id);
    const at = `${WORKSPACES}/${id}`;
    const asOwner = requestAs(app, await withKey(identity, owner.id));
    const key = await withKey(identity, member.id);
    const members = apis.map((api) => requestAs(api.app, key));
    const joining = requestAs(app, key);
    /** Sends the member's request to each process and returns their common answer. */
    const everywhere = async (path: string) => {
      const answers = await Promise.all(members.map((send) => send<MembershipView>('GET', path)));
      assert.deepEqual(answers[0]?.body, answers[1]?.body);
      return answers[0];
    };
    const role = async () => (await everywhere(at))?.data?.role;
    // Each process has now read the membership, in case it caches it.
    assert.equal((await everywhere(at))?.code, 'WORKSPACE_DENIED');

    for (let round = 0; round < 5; round++) {
      const joined = await joinByInvitation({ request: asOwner }, { email: member.email, request: joining }, at);
      const collaborator = `${at}/collaborators/${joined}`;
      assert.equal(await role(), 'editor');
      const inside = inlineRequest({ workspace_id: id, visibility: 'workspace' });
      const started = await members[1]?.<Started>('POST', FORECASTS, inside);
      assert.equal(started?.status, 202, started?.body);
      const forecast = `${FORECASTS}/${started?.data.forecast_id}`;
      assert.equal((await everywhere(forecast))?.status, 200);

      await asOwner('PATCH', collaborator, { role: 'viewer', resource_scope: { csv: { mode: 'none' } } });
      assert.equal(await role(), 'viewer');
      assert.equal((await members[1]?.('POST', FORECASTS, inside))?.code, 'WORKSPACE_DENIED');
      assert.equal((await members[1]?.('POST', `${forecast}/cancel`))?.code, 'WORKSPACE_DENIED');
      await asOwner('PATCH', collaborator, { resource_scope: { forecasts: { mode: 'none' } } });
      assert.equal((await everywhere(forecast))?.code, 'WORKSPACE_DENIED');
      await asOwner('PATCH', collaborator, { role: 'editor', resource_scope: { forecasts: { mode: 'all' } } });
      assert.equal((await everywhere(forecast))?.status, 200);

      assert.equal((await asOwner('DELETE', collaborator)).status, 200);
      assert.equal((await everywhere(at))?.code, 'WORKSPACE_DENIED');
      // The creator may know that the forecast exists.
      assert.equal((await everywhere(forecast))?.code, 'WORKSPACE_DENIED');
      assert.equal((await members[1]?.('POST', `${forecast}/cancel`))?.code, 'WORKSPACE_DENIED');
      assert.equal((await members[1]?.('POST', `${forecast}/reproduce`))?.code, 'WORKSPACE_DENIED');
      assert.equal((await members[1]?.('POST', FORECASTS, inside))?.code, 'WORKSPACE_DENIED');
      // The account, its key and its other data are unchanged; the forecast belongs to the workspace.
      assert.equal((await everywhere('/v1/me/access'))?.status, 200);
      const kept = await asOwner<{ status: string }>('POST', `${forecast}/cancel`);
      assert.deepEqual([kept.status, kept.data.status], [200, 'failed']);
    }
  },
);
