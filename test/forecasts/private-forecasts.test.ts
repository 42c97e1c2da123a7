import assert from 'node:assert/strict';
import { askAs } from '../support/api/ask.ts';
import { FORECASTS, type ForecastService, inlineRequest, type Started } from '../support/forecasts/forecast-service.ts';
import { withKey } from '../support/identity/callers.ts';
import {
  forEachService,
  makeMember,
  makeWorkspace,
  type PlaceSpec,
  type Registered,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

interface Scope {
  readonly mode: string;
  readonly ids: readonly string[];
}

interface Place {
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

async function join(service: ForecastService, workspaceId: string, spec: PlaceSpec): Promise<Member> {
  const member = await register(service, { plan: 'enterprise' });
  const collaborator = await makeMember(service.database, workspaceId, member.id, { role: 'editor', ...spec });
  return { ...member, collaborator };
}

const selected = (...ids: string[]): PlaceSpec => ({ forecasts_scope_mode: 'selected', forecasts_scope_ids: ids });

async function create({ ask }: Pick<Registered, 'ask'>, fields: object): Promise<string> {
  const { status, data, body } = await ask<Started>('POST', FORECASTS, inlineRequest(fields));
  assert.equal(status, 202, body);
  return data.forecast_id;
}

/** What somebody is shown of all lists of the workspace, its own place included. */
async function listsSeenBy({ ask }: Registered, workspaceId: string): Promise<string> {
  const at = `${WORKSPACES}/${workspaceId}`;
  const answers = [];
  for (const path of [`${at}/collaborators`, at, WORKSPACES, '/v1/me/access']) answers.push(await ask('GET', path));
  for (const { status } of answers) assert.equal(status, 200);
  return answers.map(({ body }) => body).join('');
}

forEachService('a private forecast is in no list, and its maker does without', async (service, owner) => {
  const { database } = service;
  const { id } = await makeWorkspace(database, owner.id);
  const shared = await create(owner, { workspace_id: id });
  const maker = await join(service, id, selected(shared));
  const own = await create(maker, { workspace_id: id, visibility: 'private' });
  const open = await create(maker, { workspace_id: id });
  const place = await maker.ask<Place>('GET', `${WORKSPACES}/${id}`);
  assert.deepEqual(place.data.resource_scope.forecasts, { mode: 'selected', ids: [shared, open] });
  for (const who of [owner, maker]) assert.ok(!(await listsSeenBy(who, id)).includes(own));

  const listed = async (path: string) => {
    const { data } = await maker.ask<{ forecasts: { forecast_id: string }[] }>('GET', path);
    return data.forecasts.map(({ forecast_id }) => forecast_id).sort();
  };
  assert.deepEqual(await listed(`${WORKSPACES}/${id}/forecasts`), [shared, own, open].sort());
  assert.deepEqual(await listed(FORECASTS), [own, open].sort());
  const again = await maker.ask<Started>('POST', `${FORECASTS}/${own}/reproduce`);
  assert.equal(again.status, 202, again.body);
  const copy = await maker.ask<{ visibility: string; workspace_id: string }>(
    'GET',
    `${FORECASTS}/${again.data.forecast_id}`,
  );
  assert.deepEqual([copy.data.visibility, copy.data.workspace_id], ['private', id]);
  assert.ok(!(await listsSeenBy(owner, id)).includes(again.data.forecast_id));
  for (const forecast of [own, again.data.forecast_id]) {
    assert.equal((await maker.ask('POST', `${FORECASTS}/${forecast}/cancel`)).status, 200);
  }
});

forEachService('a list does not bound who made a private forecast; role and scope none do', async (service, owner) => {
  const { id } = await makeWorkspace(service.database, owner.id);
  const shared = await create(owner, { workspace_id: id });
  const maker = await join(service, id, selected(shared));
  const own = await create(maker, { workspace_id: id, visibility: 'private' });
  const keyed = askAs(service.app, {
    ...(await withKey(service.identity, maker.id)),
    'idempotency-key': 'again',
  });
  const reproduce = () => keyed<Started>('POST', `${FORECASTS}/${own}/reproduce`);
  const { data: first } = await reproduce();
  const change = async (body: object) => {
    const at = `${WORKSPACES}/${id}/collaborators/${maker.collaborator}`;
    assert.equal((await owner.ask('PATCH', at, body)).status, 200);
  };
  const answers = async () => {
    const read = await maker.ask('GET', `${FORECASTS}/${own}`);
    const list = await maker.ask<{ forecasts: { forecast_id: string }[] }>('GET', FORECASTS);
    const run = await maker.ask<Started>('POST', `${FORECASTS}/${own}/reproduce`);
    const repeat = await reproduce();
    const cancel = await maker.ask('POST', `${FORECASTS}/${own}/cancel`);
    const isListed = list.data.forecasts.some(({ forecast_id }) => forecast_id === own);
    if (run.status === 202) await maker.ask('POST', `${FORECASTS}/${run.data.forecast_id}/cancel`);
    if (repeat.status === 202) assert.equal(repeat.data.forecast_id, first.forecast_id);
    return [read.status, isListed, run.status, repeat.status, cancel.status];
  };
  await change({ resource_scope: { forecasts: { mode: 'selected', ids: [] } } });
  assert.deepEqual(await answers(), [200, true, 202, 202, 200], 'an empty list');
  const fresh = await maker.ask('POST', FORECASTS, inlineRequest({ workspace_id: id, visibility: 'private' }));
  assert.equal(fresh.code, 'WORKSPACE_DENIED', 'nothing new can be made with an empty list');
  await change({ role: 'viewer' });
  assert.deepEqual(await answers(), [200, true, 403, 403, 403], 'a viewer');
  await change({ role: 'editor', resource_scope: { forecasts: { mode: 'none' } } });
  assert.deepEqual(await answers(), [403, false, 403, 403, 403], 'none');
  await change({ resource_scope: { forecasts: { mode: 'all' } } });
  assert.deepEqual(await answers(), [200, true, 202, 202, 200], 'everything');
});

forEachService('nobody learns of a private forecast by putting it into a list', async (service, owner) => {
  const { id } = await makeWorkspace(service.database, owner.id);
  const maker = await join(service, id, {});
  const viewer = await join(service, id, { role: 'viewer' });
  const shared = await create(owner, { workspace_id: id });
  const theirs = await create(maker, { workspace_id: id, visibility: 'private' });
  const collaborators = `${WORKSPACES}/${id}/collaborators`;
  const scope = (...ids: string[]) => ({ resource_scope: { forecasts: { mode: 'selected', ids } } });
  const sendings = [
    (forecast: string) => owner.ask('PATCH', `${collaborators}/${viewer.collaborator}`, scope(shared, forecast)),
    (forecast: string) =>
      owner.ask('POST', collaborators, { email: 'a@example.org', role: 'viewer', ...scope(shared, forecast) }),
  ];
  for (const sending of sendings) {
    const messages = [];
    for (const forecast of [theirs, 'ef_00000000000000000000000000']) {
      const { status, body } = await sending(forecast);
      assert.equal(status, 400);
      messages.push(JSON.parse(body).error.message);
    }
    assert.equal(messages[0], messages[1]);
    assert.match(messages[0], /^resource_scope\.forecasts\.ids\[1\]: is no forecast of this workspace\./);
  }
});

forEachService('what its maker puts into a list is shown to the maker alone', async (service, owner) => {
  const { id } = await makeWorkspace(service.database, owner.id);
  const viewer = await join(service, id, { role: 'viewer' });
  const editor = await join(service, id, {});
  const own = await create(owner, { workspace_id: id, visibility: 'private' });
  const at = `${WORKSPACES}/${id}/collaborators/${viewer.collaborator}`;
  const scope = { forecasts: { mode: 'selected', ids: [own] } };
  const { status, data } = await owner.ask<Place>('PATCH', at, { resource_scope: scope });
  assert.deepEqual([status, data.resource_scope.forecasts.ids], [200, [own]]);
  assert.ok((await listsSeenBy(owner, id)).includes(own));
  for (const who of [viewer, editor]) assert.ok(!(await listsSeenBy(who, id)).includes(own));
  assert.equal((await viewer.ask('GET', `${FORECASTS}/${own}`)).code, 'NOT_FOUND');
  const place = await viewer.ask<Place>('GET', `${WORKSPACES}/${id}`);
  assert.deepEqual(place.data.resource_scope.forecasts, { mode: 'selected', ids: [] });
  assert.deepEqual(
    place.data.capabilities.filter((capability) => capability.startsWith('forecast.')),
    [],
    'there is nothing that it could be used on',
  );

  // Whoever owns the workspace next has not made it.
  const next = await join(service, id, {});
  const transfer = { collaborator_id: next.collaborator };
  assert.equal((await owner.ask('POST', `${WORKSPACES}/${id}/transfer`, transfer)).status, 200);
  const { data: all } = await next.ask<Collaborators>('GET', `${WORKSPACES}/${id}/collaborators`);
  const found = all.collaborators.find(({ collaborator_id }) => collaborator_id === viewer.collaborator);
  assert.deepEqual(found?.resource_scope.forecasts, { mode: 'selected', ids: [] });
  const changed = await next.ask<Place>('PATCH', at, { role: 'editor' });
  assert.deepEqual(changed.data.resource_scope.forecasts.ids, []);
});
