import assert from 'node:assert/strict';
import { FORECASTS, inlineRequest, type Started } from '../support/forecasts/forecast-service.ts';
import {
  type MembershipSpec,
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  shareService,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const forEachService = shareService();

interface Listed {
  readonly forecast_id: string;
  readonly visibility: string;
  readonly workspace_id: string;
  readonly created_by: string;
}

interface Page {
  readonly forecasts: readonly Listed[];
  readonly next_cursor: string | null;
}

async function create({ request }: Registered, fields: object): Promise<string> {
  const { status, data, body } = await request<Started>('POST', FORECASTS, inlineRequest(fields));
  assert.equal(status, 202, body);
  return data.forecast_id;
}

async function list({ request }: Registered, workspace: string, query = ''): Promise<string[]> {
  const { status, data, body } = await request<Page>('GET', `${WORKSPACES}/${workspace}/forecasts${query}`);
  assert.equal(status, 200, body);
  return data.forecasts.map(({ forecast_id }) => forecast_id);
}

forEachService('lists the forecasts of a workspace to its members', async (service, owner) => {
  const { database } = service;
  await database.query<{ account: { plan: string } }>().updateTable('account').set({ plan: 'enterprise' }).execute();
  const editor = await register(service);
  const workspace = await makeWorkspace(database, owner.id);
  await makeMember(database, workspace.id, editor.id, { role: 'editor' });
  const elsewhere = await makeWorkspace(database, owner.id);
  await create(owner, { workspace_id: elsewhere.id });
  await create(owner, {});
  const shared = await create(owner, { workspace_id: workspace.slug });
  const own = await create(owner, { workspace_id: workspace.id, visibility: 'private' });
  const theirs = await create(editor, { workspace_id: workspace.id });
  const open = await create(editor, { workspace_id: workspace.id, visibility: 'public' });

  const { data } = await owner.request<Page>('GET', `${WORKSPACES}/${workspace.id}/forecasts`);
  const seen = data.forecasts.map(({ forecast_id, visibility, created_by }) => [forecast_id, visibility, created_by]);
  assert.deepEqual(seen, [
    [open, 'public', editor.id],
    [theirs, 'workspace', editor.id],
    [own, 'private', owner.id],
    [shared, 'workspace', owner.id],
  ]);
  assert.ok(data.forecasts.every(({ workspace_id }) => workspace_id === workspace.id));
  assert.deepEqual(await list(owner, workspace.slug), [open, theirs, own, shared], 'by the slug of the workspace');
  assert.deepEqual(
    await list(editor, workspace.id),
    [open, theirs, shared],
    'without another member’s private forecast',
  );

  await owner.request('POST', `${FORECASTS}/${shared}/cancel`);
  assert.deepEqual(await list(editor, workspace.id, '?status=failed'), [shared]);
  assert.deepEqual(await list(editor, workspace.id, '?status=queued'), [open, theirs]);

  const scopes: readonly [MembershipSpec, readonly string[]][] = [
    [{}, [open, theirs, shared]],
    [{ forecasts_scope_mode: 'selected', forecasts_scope_ids: [shared, own, 'ef_none'] }, [shared]],
    [{ csv_scope_mode: 'none' }, [open, theirs, shared]],
  ];
  for (const [spec, expected] of scopes) {
    const viewer = await register(service);
    await makeMember(database, workspace.id, viewer.id, spec);
    assert.deepEqual(await list(viewer, workspace.id), expected, JSON.stringify(spec));
  }
  for (const spec of [{ forecasts_scope_mode: 'none' }, { forecasts_scope_mode: 'selected' }] as const) {
    const viewer = await register(service);
    await makeMember(database, workspace.id, viewer.id, { role: 'editor', ...spec });
    const { code, body } = await viewer.request('GET', `${WORKSPACES}/${workspace.id}/forecasts`);
    assert.equal(code, 'WORKSPACE_DENIED');
    assert.match(body, /Your resource scope in this workspace does not allow/);
  }
});

forEachService('a cursor continues its own list and is refused in every other', async (service, owner) => {
  const { database } = service;
  const member = await register(service);
  const workspace = await makeWorkspace(database, owner.id);
  const other = await makeWorkspace(database, owner.id);
  await makeMember(database, workspace.id, member.id, { role: 'editor' });
  const ids: string[] = [];
  for (let number = 0; number < 3; number++) ids.unshift(await create(member, { workspace_id: workspace.id }));

  const page = async (member: Registered, name: string, query: string) =>
    member.request<Page>('GET', `${WORKSPACES}/${name}/forecasts?${query}`);
  const first = (await page(owner, workspace.id, 'limit=2')).data;
  assert.deepEqual([first.forecasts.map(({ forecast_id }) => forecast_id)], [ids.slice(0, 2)]);
  const cursor = encodeURIComponent(first.next_cursor ?? '');
  // A forecast that is created in between is newer and does not shift the page.
  await create(owner, { workspace_id: workspace.id });
  for (const name of [workspace.id, workspace.slug]) {
    const { data } = await page(owner, name, `limit=2&cursor=${cursor}`);
    assert.deepEqual([data.forecasts.map(({ forecast_id }) => forecast_id), data.next_cursor], [ids.slice(2), null]);
  }
  for (const [caller, name, query] of [
    [member, workspace.id, `cursor=${cursor}`],
    [owner, other.id, `cursor=${cursor}`],
    [owner, workspace.id, `cursor=${cursor}&status=queued`],
  ] as const) {
    const { code, body } = await page(caller, name, query);
    assert.equal(code, 'INVALID_REQUEST', query);
    assert.match(body, /cursor: belongs to another list/);
  }
  const own = await owner.request('GET', `${FORECASTS}?cursor=${cursor}`);
  assert.equal(own.code, 'INVALID_REQUEST');
});

forEachService(
  'the list of own forecasts contains those of workspaces that the caller may still see',
  async (service, owner) => {
    const { database } = service;
    const member = await register(service, { plan: 'enterprise' });
    const workspace = await makeWorkspace(database, owner.id);
    const collaborator = await makeMember(database, workspace.id, member.id, { role: 'editor' });
    const alone = await create(member, {});
    const shared = await create(member, { workspace_id: workspace.id });
    const kept = await create(member, { workspace_id: workspace.id, visibility: 'private' });
    const open = await create(member, { workspace_id: workspace.id, visibility: 'public' });
    await create(owner, { workspace_id: workspace.id });
    const listOwn = async () => {
      const { data } = await member.request<Page>('GET', FORECASTS);
      return data.forecasts.map(({ forecast_id }) => forecast_id);
    };
    const changeScope = (forecasts: object) =>
      owner.request('PATCH', `${WORKSPACES}/${workspace.id}/collaborators/${collaborator}`, {
        resource_scope: { forecasts },
      });
    assert.deepEqual(await listOwn(), [open, kept, shared, alone]);
    assert.equal((await changeScope({ mode: 'selected', ids: [shared] })).status, 200);
    assert.deepEqual(await listOwn(), [open, kept, shared, alone]);
    assert.equal((await changeScope({ mode: 'none' })).status, 200);
    assert.deepEqual(await listOwn(), [open, alone]);
    assert.equal((await changeScope({ mode: 'all' })).status, 200);
    assert.deepEqual(await listOwn(), [open, kept, shared, alone]);
    await owner.request('DELETE', `${WORKSPACES}/${workspace.id}/collaborators/${collaborator}`);
    assert.deepEqual(await listOwn(), [open, alone]);
  },
);
