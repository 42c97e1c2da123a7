import assert from 'node:assert/strict';
import { requestAs } from '../support/api/request-as.ts';
import { FORECASTS, type ForecastService, inlineRequest, type Started } from '../support/forecasts/forecast-service.ts';
import { withKey } from '../support/identity/callers.ts';
import {
  type MembershipSpec,
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  shareService,
  transferTo,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const forEachService = shareService();

interface Scope {
  readonly mode: string;
  readonly ids: readonly string[];
}

interface MembershipBody {
  readonly capabilities: readonly string[];
  readonly resource_scope: { readonly forecasts: Scope };
}

interface Collaborators {
  readonly collaborators: readonly {
    readonly collaborator_id: string;
    readonly resource_scope: { forecasts: Scope };
  }[];
}

interface Member extends Registered {
  readonly collaborator: string;
}

async function join(service: ForecastService, workspaceId: string, spec: MembershipSpec): Promise<Member> {
  const member = await register(service, { plan: 'enterprise' });
  const collaborator = await makeMember(service.database, workspaceId, member.id, { role: 'editor', ...spec });
  return { ...member, collaborator };
}

const selected = (...ids: string[]): MembershipSpec => ({ forecasts_scope_mode: 'selected', forecasts_scope_ids: ids });

async function create({ request }: Pick<Registered, 'request'>, fields: object): Promise<string> {
  const { status, data, body } = await request<Started>('POST', FORECASTS, inlineRequest(fields));
  assert.equal(status, 202, body);
  return data.forecast_id;
}

/** Returns the bodies of every response that shows resource scopes of the workspace to the caller. */
async function readScopes({ request }: Registered, workspaceId: string): Promise<string> {
  const at = `${WORKSPACES}/${workspaceId}`;
  const replies = [];
  for (const path of [`${at}/collaborators`, at, WORKSPACES, '/v1/me/access']) replies.push(await request('GET', path));
  for (const { status } of replies) assert.equal(status, 200);
  return replies.map(({ body }) => body).join('');
}

forEachService(
  'a private forecast is in no resource scope, and its creator does not need it there',
  async (service, owner) => {
    const { database } = service;
    const { id } = await makeWorkspace(database, owner.id);
    const shared = await create(owner, { workspace_id: id });
    const creator = await join(service, id, selected(shared));
    const own = await create(creator, { workspace_id: id, visibility: 'private' });
    const open = await create(creator, { workspace_id: id });
    const membership = await creator.request<MembershipBody>('GET', `${WORKSPACES}/${id}`);
    assert.deepEqual(membership.data.resource_scope.forecasts, { mode: 'selected', ids: [shared, open] });
    for (const caller of [owner, creator]) assert.ok(!(await readScopes(caller, id)).includes(own));

    const listed = async (path: string) => {
      const { data } = await creator.request<{ forecasts: { forecast_id: string }[] }>('GET', path);
      return data.forecasts.map(({ forecast_id }) => forecast_id).sort();
    };
    assert.deepEqual(await listed(`${WORKSPACES}/${id}/forecasts`), [shared, own, open].sort());
    assert.deepEqual(await listed(FORECASTS), [own, open].sort());
    const again = await creator.request<Started>('POST', `${FORECASTS}/${own}/reproduce`);
    assert.equal(again.status, 202, again.body);
    const copy = await creator.request<{ visibility: string; workspace_id: string }>(
      'GET',
      `${FORECASTS}/${again.data.forecast_id}`,
    );
    assert.deepEqual([copy.data.visibility, copy.data.workspace_id], ['private', id]);
    assert.ok(!(await readScopes(owner, id)).includes(again.data.forecast_id));
    for (const forecast of [own, again.data.forecast_id]) {
      assert.equal((await creator.request('POST', `${FORECASTS}/${forecast}/cancel`)).status, 200);
    }
  },
);

forEachService(
  'a selected scope does not exclude the creator of a private forecast; the role and the scope none do',
  async (service, owner) => {
    const { id } = await makeWorkspace(service.database, owner.id);
    const shared = await create(owner, { workspace_id: id });
    const creator = await join(service, id, selected(shared));
    const own = await create(creator, { workspace_id: id, visibility: 'private' });
    const keyed = requestAs(service.app, {
      ...(await withKey(service.identity, creator.id)),
      'idempotency-key': 'again',
    });
    const reproduce = () => keyed<Started>('POST', `${FORECASTS}/${own}/reproduce`);
    const { data: first } = await reproduce();
    const change = async (body: object) => {
      const at = `${WORKSPACES}/${id}/collaborators/${creator.collaborator}`;
      assert.equal((await owner.request('PATCH', at, body)).status, 200);
    };
    const outcomes = async () => {
      const read = await creator.request('GET', `${FORECASTS}/${own}`);
      const list = await creator.request<{ forecasts: { forecast_id: string }[] }>('GET', FORECASTS);
      const run = await creator.request<Started>('POST', `${FORECASTS}/${own}/reproduce`);
      const repeat = await reproduce();
      const cancel = await creator.request('POST', `${FORECASTS}/${own}/cancel`);
      const isListed = list.data.forecasts.some(({ forecast_id }) => forecast_id === own);
      if (run.status === 202) await creator.request('POST', `${FORECASTS}/${run.data.forecast_id}/cancel`);
      if (repeat.status === 202) assert.equal(repeat.data.forecast_id, first.forecast_id);
      return [read.status, isListed, run.status, repeat.status, cancel.status];
    };
    await change({ resource_scope: { forecasts: { mode: 'selected', ids: [] } } });
    assert.deepEqual(await outcomes(), [200, true, 202, 202, 200], 'an empty scope');
    const fresh = await creator.request('POST', FORECASTS, inlineRequest({ workspace_id: id, visibility: 'private' }));
    assert.equal(fresh.code, 'WORKSPACE_DENIED', 'an empty scope does not allow new forecasts');
    await change({ role: 'viewer' });
    assert.deepEqual(await outcomes(), [200, true, 403, 403, 403], 'the role viewer');
    await change({ role: 'editor', resource_scope: { forecasts: { mode: 'none' } } });
    assert.deepEqual(await outcomes(), [403, false, 403, 403, 403], 'the scope none');
    await change({ resource_scope: { forecasts: { mode: 'all' } } });
    assert.deepEqual(await outcomes(), [200, true, 202, 202, 200], 'the scope all');
  },
);

forEachService('adding a private forecast to a scope does not reveal whether it exists', async (service, owner) => {
  const { id } = await makeWorkspace(service.database, owner.id);
  const creator = await join(service, id, {});
  const viewer = await join(service, id, { role: 'viewer' });
  const shared = await create(owner, { workspace_id: id });
  const hidden = await create(creator, { workspace_id: id, visibility: 'private' });
  const collaborators = `${WORKSPACES}/${id}/collaborators`;
  const scope = (...ids: string[]) => ({ resource_scope: { forecasts: { mode: 'selected', ids } } });
  const requests = [
    (forecast: string) => owner.request('PATCH', `${collaborators}/${viewer.collaborator}`, scope(shared, forecast)),
    (forecast: string) =>
      owner.request('POST', collaborators, { email: 'a@example.org', role: 'viewer', ...scope(shared, forecast) }),
  ];
  for (const request of requests) {
    const messages = [];
    for (const forecast of [hidden, 'ef_00000000000000000000000000']) {
      const { status, body } = await request(forecast);
      assert.equal(status, 400);
      messages.push(JSON.parse(body).error.message);
    }
    assert.equal(messages[0], messages[1]);
    assert.match(
      messages[0],
      /^resource_scope\.forecasts\.ids\[1\]: this workspace has no forecast with this id that you can read\./,
    );
  }
});

forEachService(
  'a private forecast that its creator adds to a scope is shown to the creator alone',
  async (service, owner) => {
    const { id } = await makeWorkspace(service.database, owner.id);
    const viewer = await join(service, id, { role: 'viewer' });
    const editor = await join(service, id, {});
    const own = await create(owner, { workspace_id: id, visibility: 'private' });
    const at = `${WORKSPACES}/${id}/collaborators/${viewer.collaborator}`;
    const scope = { forecasts: { mode: 'selected', ids: [own] } };
    const { status, data } = await owner.request<MembershipBody>('PATCH', at, { resource_scope: scope });
    assert.deepEqual([status, data.resource_scope.forecasts.ids], [200, [own]]);
    assert.ok((await readScopes(owner, id)).includes(own));
    for (const caller of [viewer, editor]) assert.ok(!(await readScopes(caller, id)).includes(own));
    assert.equal((await viewer.request('GET', `${FORECASTS}/${own}`)).code, 'NOT_FOUND');
    const membership = await viewer.request<MembershipBody>('GET', `${WORKSPACES}/${id}`);
    assert.deepEqual(membership.data.resource_scope.forecasts, { mode: 'selected', ids: [] });
    assert.deepEqual(
      membership.data.capabilities.filter((capability) => capability.startsWith('forecast.')),
      [],
      'no forecast is left to use them on',
    );

    // The next owner of the workspace did not create the forecast.
    const next = await join(service, id, {});
    await transferTo(owner, next, `${WORKSPACES}/${id}`, next.collaborator);
    const { data: all } = await next.request<Collaborators>('GET', `${WORKSPACES}/${id}/collaborators`);
    const found = all.collaborators.find(({ collaborator_id }) => collaborator_id === viewer.collaborator);
    assert.deepEqual(found?.resource_scope.forecasts, { mode: 'selected', ids: [] });
    const changed = await next.request<MembershipBody>('PATCH', at, { role: 'editor' });
    assert.deepEqual(changed.data.resource_scope.forecasts.ids, []);
  },
);
