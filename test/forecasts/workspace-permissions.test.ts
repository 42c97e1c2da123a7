import assert from 'node:assert/strict';
import { requestAs } from '../support/api/request-as.ts';
import { FORECASTS, type ForecastService, inlineRequest, type Started } from '../support/forecasts/forecast-service.ts';
import { withKey } from '../support/identity/callers.ts';
import { makeCsvFile } from '../support/workspaces/csv-files.ts';
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

interface View {
  readonly forecast_id: string;
  readonly visibility: string;
  readonly workspace_id: string | null;
}

function create({ request: send }: Pick<Registered, 'request'>, fields: object = {}) {
  return send<Started>('POST', FORECASTS, inlineRequest(fields));
}

async function view({ request: send }: Registered, id: string): Promise<View> {
  const { status, data, body } = await send<View>('GET', `${FORECASTS}/${id}`);
  assert.equal(status, 200, body);
  return data;
}

async function join(service: ForecastService, workspaceId: string, spec: MembershipSpec = {}): Promise<Registered> {
  const member = await register(service, { plan: 'enterprise' });
  await makeMember(service.database, workspaceId, member.id, spec);
  return member;
}

forEachService('a forecast in a workspace is visible to the workspace by default', async (service, owner) => {
  const { id, slug } = await makeWorkspace(service.database, owner.id);
  for (const [fields, expected] of [
    [{}, ['private', null]],
    [{ workspace_id: id }, ['workspace', id]],
    [{ workspace_id: slug }, ['workspace', id]],
    [{ workspace_id: id, visibility: 'private' }, ['private', id]],
  ] as const) {
    const { data } = await create(owner, fields);
    const { visibility, workspace_id } = await view(owner, data.forecast_id);
    assert.deepEqual([visibility, workspace_id], expected);
  }
  assert.equal((await create(owner, { visibility: 'workspace' })).code, 'INVALID_REQUEST');
});

forEachService('a repeated request requires the same permission as the first', async (service, owner) => {
  const { identity, app, database } = service;
  const member = await register(service, { plan: 'enterprise' });
  const { id } = await makeWorkspace(database, owner.id);
  const collaborator = await makeMember(database, id, member.id, { role: 'editor' });
  const membership = `${WORKSPACES}/${id}/collaborators/${collaborator}`;
  const key = await withKey(identity, member.id);
  const keyed = (idempotencyKey: string) => requestAs(app, { ...key, 'idempotency-key': idempotencyKey });
  const createOnce = () => create({ request: keyed('create') }, { workspace_id: id });
  const { data: first } = await createOnce();
  const reproduce = () => keyed('again')<Started>('POST', `${FORECASTS}/${first.forecast_id}/reproduce`);
  const { data: second } = await reproduce();
  const repeats = async () => Promise.all([createOnce(), reproduce()]);
  assert.deepEqual(
    (await repeats()).map(({ data }) => data.forecast_id),
    [first.forecast_id, second.forecast_id],
  );
  for (const end of [
    () => owner.request('PATCH', membership, { role: 'viewer' }),
    () => owner.request('PATCH', membership, { role: 'editor', resource_scope: { forecasts: { mode: 'none' } } }),
    () => owner.request('DELETE', membership),
  ]) {
    assert.equal((await end()).status, 200);
    assert.deepEqual(
      (await repeats()).map(({ code }) => code),
      ['WORKSPACE_DENIED', 'WORKSPACE_DENIED'],
    );
  }
});

forEachService('a member that may read a forecast but not change it gets WORKSPACE_DENIED', async (service, owner) => {
  const { id } = await makeWorkspace(service.database, owner.id);
  const { data } = await create(owner, { workspace_id: id });
  const name = data.slug;
  const selected = { forecasts_scope_mode: 'selected', forecasts_scope_ids: [data.forecast_id] } as const;
  const unlisted = { forecasts_scope_mode: 'selected', forecasts_scope_ids: ['ef_other'] } as const;
  for (const [spec, read, change] of [
    [{}, undefined, 'WORKSPACE_DENIED'],
    [selected, undefined, 'WORKSPACE_DENIED'],
    [unlisted, 'NOT_FOUND', 'NOT_FOUND'],
    [{ forecasts_scope_mode: 'none' }, 'NOT_FOUND', 'NOT_FOUND'],
    [{ role: 'editor', ...unlisted }, 'NOT_FOUND', 'NOT_FOUND'],
    [{ role: 'editor', forecasts_scope_mode: 'none' }, 'NOT_FOUND', 'NOT_FOUND'],
  ] as const) {
    const member = await join(service, id, { ...spec, forecasts_scope_ids: [...(spec.forecasts_scope_ids ?? [])] });
    assert.equal((await member.request('GET', `${FORECASTS}/${name}`)).code, read, JSON.stringify(spec));
    for (const action of ['cancel', 'reproduce']) {
      const { code } = await member.request('POST', `${FORECASTS}/${name}/${action}`);
      assert.equal(code, change, `${action} ${JSON.stringify(spec)}`);
    }
  }
  const { data: still } = await owner.request<{ status: string }>('GET', `${FORECASTS}/${name}`);
  assert.equal(still.status, 'queued');
});

forEachService(
  'a forecast is reproduced in its workspace, and a public one outside it by callers without permission',
  async (service, owner) => {
    const { id } = await makeWorkspace(service.database, owner.id);
    const editor = await join(service, id, { role: 'editor' });
    const viewer = await join(service, id);
    const stranger = await register(service);
    const reproduceAs = async (caller: Registered, forecast: string) => {
      const { code, data } = await caller.request<Started>('POST', `${FORECASTS}/${forecast}/reproduce`);
      if (code !== undefined) return code;
      const { visibility, workspace_id } = await view(caller, data.forecast_id);
      // The owner has few slots.
      await caller.request('POST', `${FORECASTS}/${data.forecast_id}/cancel`);
      return `${visibility} ${workspace_id === id ? 'here' : workspace_id}`;
    };
    const shared = (await create(owner, { workspace_id: id })).data.forecast_id;
    assert.deepEqual(
      [
        await reproduceAs(owner, shared),
        await reproduceAs(editor, shared),
        await reproduceAs(viewer, shared),
        await reproduceAs(stranger, shared),
      ],
      ['workspace here', 'workspace here', 'WORKSPACE_DENIED', 'NOT_FOUND'],
    );
    const open = (await create(owner, { workspace_id: id, visibility: 'public' })).data.forecast_id;
    assert.deepEqual(
      [
        await reproduceAs(owner, open),
        await reproduceAs(editor, open),
        await reproduceAs(viewer, open),
        await reproduceAs(stranger, open),
      ],
      ['public here', 'public here', 'private null', 'private null'],
    );
    const kept = (await create(editor, { workspace_id: id, visibility: 'private' })).data.forecast_id;
    assert.deepEqual([await reproduceAs(editor, kept), await reproduceAs(owner, kept)], ['private here', 'NOT_FOUND']);
  },
);

forEachService('the rows of a file are reused only by members that may still read it', async (service, owner) => {
  const { database } = service;
  const { id } = await makeWorkspace(database, owner.id);
  const csv = await makeCsvFile(database, id, owner.id);
  const source = { type: 'workspace_csv', workspace_id: id, csv_id: csv, time_field: 'date', value_field: 'value' };
  const { data, status, body } = await create(owner, { workspace_id: id, source });
  assert.equal(status, 202, body);
  const open = (await create(owner, { source, visibility: 'public' })).data.forecast_id;
  const reproduceAs = async ({ request: send }: Registered, forecast = data.forecast_id) => {
    const started = await send<Started>('POST', `${FORECASTS}/${forecast}/reproduce`);
    if (started.status === 202) await send('POST', `${FORECASTS}/${started.data.forecast_id}/cancel`);
    return started.code ?? started.status;
  };
  const editor = await join(service, id, { role: 'editor' });
  const withoutFiles = await join(service, id, { role: 'editor', csv_scope_mode: 'none' });
  const stranger = await register(service);
  assert.deepEqual([await reproduceAs(owner), await reproduceAs(editor)], [202, 202]);
  assert.equal(
    (await withoutFiles.request('GET', `${FORECASTS}/${data.forecast_id}`)).status,
    200,
    'the member may read the forecast',
  );
  assert.equal(await reproduceAs(withoutFiles), 'WORKSPACE_DENIED', 'but not use the file');
  assert.equal((await create(withoutFiles, { workspace_id: id, source })).code, 'WORKSPACE_DENIED');
  const refused = await stranger.request('POST', `${FORECASTS}/${open}/reproduce`);
  assert.deepEqual([refused.status, refused.code], [403, 'WORKSPACE_DENIED'], 'even a public forecast');
  assert.match(JSON.parse(refused.body).error.message, /^The rows come from a file of a workspace\. /);
  const ofAnother = await join(service, id, { role: 'editor', csv_scope_mode: 'selected', csv_scope_ids: ['csv_1'] });
  const ofTheFile = await join(service, id, { role: 'editor', csv_scope_mode: 'selected', csv_scope_ids: [csv] });
  const own = (await create(ofTheFile, { workspace_id: id, source })).data.forecast_id;
  assert.deepEqual([await reproduceAs(ofAnother), await reproduceAs(ofTheFile)], ['WORKSPACE_DENIED', 202]);
  assert.equal((await owner.request('DELETE', `${WORKSPACES}/${id}/csv/${csv}`)).status, 200);
  assert.deepEqual([await reproduceAs(owner), await reproduceAs(editor)], [202, 202], 'the rows are frozen');
  assert.deepEqual(
    [await reproduceAs(withoutFiles), await reproduceAs(ofAnother), await reproduceAs(ofTheFile)],
    ['WORKSPACE_DENIED', 'WORKSPACE_DENIED', 'WORKSPACE_DENIED'],
    'deleting the file grants no access',
  );
  assert.equal(await reproduceAs(ofTheFile, own), 202, 'the creator can reproduce its own forecast');
  assert.equal(await reproduceAs(ofAnother, own), 'WORKSPACE_DENIED');
});

forEachService(
  'every caller sees a public forecast, and one that may not change it gets the reason',
  async (service, owner) => {
    const { id } = await makeWorkspace(service.database, owner.id);
    const inside = (await create(owner, { workspace_id: id, visibility: 'public' })).data.forecast_id;
    const outside = (await create(owner, { visibility: 'public' })).data.forecast_id;
    const viewer = await join(service, id);
    const restricted = await join(service, id, { role: 'editor', forecasts_scope_mode: 'none' });
    const stranger = await register(service);
    const cancel = async (caller: Registered, forecast: string) => {
      const { status, body } = await caller.request('POST', `${FORECASTS}/${forecast}/cancel`);
      const { code, message } = JSON.parse(body).error;
      assert.equal(status, 403);
      return `${code}: ${message}`;
    };
    assert.match(
      await cancel(viewer, inside),
      /^WORKSPACE_DENIED: Your role in this workspace, viewer, does not .* editor\.$/,
    );
    assert.match(
      await cancel(restricted, inside),
      /^WORKSPACE_DENIED: Your resource scope in this workspace does not allow this action\./,
    );
    for (const caller of [viewer, restricted, stranger]) {
      assert.match(await cancel(caller, outside), /^OWNERSHIP_REQUIRED: Only the forecast's creator can do this\./);
    }
    assert.match(
      await cancel(stranger, inside),
      /^OWNERSHIP_REQUIRED: Only the forecast's creator, or a member of its workspace whose role allows it, can/,
    );
    for (const forecast of [inside, outside]) {
      const { data } = await stranger.request<{ status: string }>('GET', `${FORECASTS}/${forecast}`);
      assert.equal(data.status, 'queued');
    }
  },
);
