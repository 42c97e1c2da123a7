import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CollaboratorView, MembershipView, OfferedWorkspace } from '../../src/workspaces/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { FORECASTS, inlineRequest, openForecastService, type Started } from '../support/forecasts/forecast-service.ts';
import { makeAccount, withSession } from '../support/identity/callers.ts';
import { countStatements } from '../support/platform/counted-database.ts';
import { testedKind } from '../support/platform/database.ts';
import {
  makeWorkspace,
  type Registered,
  register,
  shareService,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const forEachService = shareService();

forEachService('a free account makes no other account a payer without its consent', async (service, victim) => {
  const { app, identity } = service;
  const account = await makeAccount(identity, { plan: 'free' });
  const giver: Registered = { ...account, request: requestAs(app, await withSession(identity, account.email)) };
  const { data: workspace } = await giver.request<MembershipView>('POST', WORKSPACES, { name: 'gift' });
  const at = `${WORKSPACES}/${workspace.id}`;
  const inside = (fields: object = {}) => inlineRequest({ workspace_id: workspace.id, horizon: 5, ...fields });
  const planOf = async () =>
    (await giver.request<{ plan: string }>('GET', `/v1/forecast/models?workspace_id=${workspace.id}`)).data.plan;

  // The account is neither a member nor can it be made the owner before it accepts to be a member.
  const { data: added } = await giver.request<CollaboratorView>('POST', `${at}/collaborators`, {
    email: victim.email,
    role: 'viewer',
  });
  assert.deepEqual([added.kind, added.user], ['invitation', null]);
  const offer = { collaborator_id: added.collaborator_id };
  assert.equal((await giver.request('POST', `${at}/transfer`, offer)).code, 'NOT_FOUND');
  assert.equal((await victim.request('GET', at)).code, 'WORKSPACE_DENIED');

  // A member that does not answer a transfer does not become the owner.
  assert.equal((await victim.request('POST', `/v1/me/invitations/${added.collaborator_id}/accept`)).status, 200);
  const { data: offered } = await giver.request<OfferedWorkspace>('POST', `${at}/transfer`, offer);
  assert.equal((await victim.request<MembershipView>('GET', at)).data.role, 'viewer');
  assert.equal(await planOf(), 'free');
  const own = await giver.request<Started>('POST', FORECASTS, inside());
  assert.equal(own.status, 202);
  assert.equal((await giver.request('POST', FORECASTS, inside())).code, 'QUOTA_EXCEEDED', 'one slot, its own');
  assert.equal((await giver.request('POST', `${FORECASTS}/${own.data.forecast_id}/cancel`)).status, 200);

  // Having accepted, the new owner sees and cancels what it pays for, and limits what members can use.
  assert.equal(
    (await victim.request('POST', `/v1/me/invitations/${offered.transfer.invitation_id}/accept`)).status,
    200,
  );
  assert.equal(await planOf(), 'pro');
  const created = [];
  for (let i = 0; i < 4; i++) {
    const { data } = await giver.request<Started>(
      'POST',
      FORECASTS,
      inside({ visibility: 'private', title: 'secret' }),
    );
    created.unshift(data);
  }
  assert.equal((await victim.request('POST', FORECASTS, inlineRequest())).code, 'QUOTA_EXCEEDED');
  const { data: listed } = await victim.request<{ forecasts: Record<string, unknown>[] }>('GET', `${at}/forecasts`);
  const hidden = listed.forecasts.slice(0, 4);
  assert.deepEqual(
    hidden.map(({ forecast_id }) => forecast_id),
    created.map(({ forecast_id }) => forecast_id),
  );
  for (const forecast of hidden) {
    assert.deepEqual(Object.keys(forecast).sort(), ['created_at', 'credits', 'forecast_id', 'status']);
  }
  for (const { forecast_id, slug } of created) {
    assert.equal((await victim.request('GET', `${FORECASTS}/${forecast_id}`)).code, 'NOT_FOUND');
    assert.equal((await victim.request('POST', `${FORECASTS}/${slug}/cancel`)).code, 'NOT_FOUND', 'by id only');
    const canceled = await victim.request<Record<string, unknown>>('POST', `${FORECASTS}/${forecast_id}/cancel`);
    const { created_at, credits } = hidden.find((one) => one.forecast_id === forecast_id) ?? {};
    const shown = { forecast_id, status: 'failed', credits, created_at, worker_cancellation: 'requested' };
    assert.deepEqual([canceled.status, canceled.data], [200, shown]);
  }
  const [first] = created;
  assert.equal((await victim.request('DELETE', `${FORECASTS}/${first?.slug}`)).code, 'NOT_FOUND', 'by id only');
  assert.equal((await victim.request('DELETE', `${FORECASTS}/${first?.forecast_id}`)).status, 200);
  assert.equal((await giver.request('GET', `${FORECASTS}/${first?.forecast_id}`)).code, 'NOT_FOUND');
  assert.equal((await victim.request('PATCH', at, { member_credits: 0 })).status, 200);
  const refused = await giver.request('POST', FORECASTS, inside({ visibility: 'private' }));
  assert.deepEqual([refused.status, refused.code], [429, 'QUOTA_EXCEEDED']);
  assert.match(refused.body, /member_credits: each member can use 0 credits a month in this workspace\..*owner/);
  assert.equal((await victim.request('POST', FORECASTS, inside())).status, 202, 'the owner is not limited');
});

test(`an invitation does not show whether the address has an account [${testedKind}]`, async () => {
  let statements = () => 0;
  await using service = await openForecastService(testedKind, {
    wrapDatabase: (database) => {
      const counted = countStatements(database);
      statements = counted.statements;
      return counted.database;
    },
  });
  const owner = await register(service);
  const member = await register(service);
  const unverified = await register(service, { verified: false });
  const { id } = await makeWorkspace(service.database, owner.id);
  const path = `${WORKSPACES}/${id}/collaborators`;
  const invite = async (email: string) => {
    const before = statements();
    const { status, data } = await owner.request<CollaboratorView>('POST', path, { email, role: 'viewer' });
    const sent = statements() - before;
    const { data: list } = await owner.request<{ collaborators: CollaboratorView[] }>('GET', path);
    const { data: changed } = await owner.request('PATCH', `${path}/${data.collaborator_id}`, { role: 'editor' });
    const again = await owner.request('POST', path, { email, role: 'viewer' });
    const seen = JSON.stringify([
      status,
      data,
      list.collaborators.at(-1),
      changed,
      JSON.parse(again.body).error.message,
    ]);
    const removed = await owner.request('DELETE', `${path}/${data.collaborator_id}`);
    // Everything but ids, addresses and times.
    return [
      seen
        .replaceAll(email, 'EMAIL')
        .replaceAll(data.collaborator_id, 'ID')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
      removed.status,
      sent,
    ];
  };
  // A request sometimes also renews the caller's share of the rate limit, so the first one is not compared.
  await invite('first@example.org');
  const without = await invite('unknown@example.org');
  assert.match(String(without[0]), /"kind":"invitation","user":null,"email":"EMAIL"/);
  for (const { email } of [member, unverified]) assert.deepEqual(await invite(email), without, email);
});
