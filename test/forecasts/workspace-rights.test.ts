import assert from 'node:assert/strict';
import { askAs } from '../support/api/ask.ts';
import { FORECASTS, type ForecastService, inlineRequest, type Started } from '../support/forecasts/forecast-service.ts';
import { withKey } from '../support/identity/callers.ts';
import { makeCsvFile } from '../support/workspaces/csv-files.ts';
import {
  forEachService,
  makeMember,
  makeWorkspace,
  type PlaceSpec,
  type Registered,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

interface View {
  readonly forecast_id: string;
  readonly visibility: string;
  readonly workspace_id: string | null;
}

function ask({ ask: send }: Pick<Registered, 'ask'>, fields: object = {}) {
  return send<Started>('POST', FORECASTS, inlineRequest(fields));
}

async function view({ ask: send }: Registered, id: string): Promise<View> {
  const { status, data, body } = await send<View>('GET', `${FORECASTS}/${id}`);
  assert.equal(status, 200, body);
  return data;
}

async function join(service: ForecastService, workspaceId: string, spec: PlaceSpec = {}): Promise<Registered> {
  const member = await register(service, { plan: 'enterprise' });
  await makeMember(service.database, workspaceId, member.id, spec);
  return member;
}

forEachService(
  'a forecast in a workspace is for the workspace, unless it is said otherwise',
  async (service, owner) => {
    const { id, slug } = await makeWorkspace(service.database, owner.id);
    for (const [fields, expected] of [
      [{}, ['private', null]],
      [{ workspace_id: id }, ['workspace', id]],
      [{ workspace_id: slug }, ['workspace', id]],
      [{ workspace_id: id, visibility: 'private' }, ['private', id]],
    ] as const) {
      const { data } = await ask(owner, fields);
      const { visibility, workspace_id } = await view(owner, data.forecast_id);
      assert.deepEqual([visibility, workspace_id], expected);
    }
    assert.equal((await ask(owner, { visibility: 'workspace' })).code, 'INVALID_REQUEST');
  },
);

forEachService('a request that is sent again needs the place that it needed at first', async (service, owner) => {
  const { identity, app, database } = service;
  const member = await register(service, { plan: 'enterprise' });
  const { id } = await makeWorkspace(database, owner.id);
  const collaborator = await makeMember(database, id, member.id, { role: 'editor' });
  const place = `${WORKSPACES}/${id}/collaborators/${collaborator}`;
  const key = await withKey(identity, member.id);
  const keyed = (idempotencyKey: string) => askAs(app, { ...key, 'idempotency-key': idempotencyKey });
  const create = () => ask({ ask: keyed('create') }, { workspace_id: id });
  const { data: first } = await create();
  const reproduce = () => keyed('again')<Started>('POST', `${FORECASTS}/${first.forecast_id}/reproduce`);
  const { data: second } = await reproduce();
  const repeats = async () => Promise.all([create(), reproduce()]);
  assert.deepEqual(
    (await repeats()).map(({ data }) => data.forecast_id),
    [first.forecast_id, second.forecast_id],
  );
  for (const end of [
    () => owner.ask('PATCH', place, { role: 'viewer' }),
    () => owner.ask('PATCH', place, { role: 'editor', resource_scope: { forecasts: { mode: 'none' } } }),
    () => owner.ask('DELETE', place),
  ]) {
    assert.equal((await end()).status, 200);
    assert.deepEqual(
      (await repeats()).map(({ code }) => code),
      ['WORKSPACE_DENIED', 'WORKSPACE_DENIED'],
    );
  }
});

forEachService('who may read a forecast but not stop it is told so', async (service, owner) => {
  const { id } = await makeWorkspace(service.database, owner.id);
  const { data } = await ask(owner, { workspace_id: id });
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
    assert.equal((await member.ask('GET', `${FORECASTS}/${name}`)).code, read, JSON.stringify(spec));
    for (const deed of ['cancel', 'reproduce']) {
      const { code } = await member.ask('POST', `${FORECASTS}/${name}/${deed}`);
      assert.equal(code, change, `${deed} ${JSON.stringify(spec)}`);
    }
  }
  const { data: still } = await owner.ask<{ status: string }>('GET', `${FORECASTS}/${name}`);
  assert.equal(still.status, 'queued');
});

forEachService(
  'a forecast is run again where it is, or by whom it is public to for oneself',
  async (service, owner) => {
    const { id } = await makeWorkspace(service.database, owner.id);
    const editor = await join(service, id, { role: 'editor' });
    const viewer = await join(service, id);
    const stranger = await register(service);
    const again = async (who: Registered, forecast: string) => {
      const { code, data } = await who.ask<Started>('POST', `${FORECASTS}/${forecast}/reproduce`);
      if (code !== undefined) return code;
      const { visibility, workspace_id } = await view(who, data.forecast_id);
      // The owner has few slots.
      await who.ask('POST', `${FORECASTS}/${data.forecast_id}/cancel`);
      return `${visibility} ${workspace_id === id ? 'here' : workspace_id}`;
    };
    const shared = (await ask(owner, { workspace_id: id })).data.forecast_id;
    assert.deepEqual(
      [
        await again(owner, shared),
        await again(editor, shared),
        await again(viewer, shared),
        await again(stranger, shared),
      ],
      ['workspace here', 'workspace here', 'WORKSPACE_DENIED', 'NOT_FOUND'],
    );
    const open = (await ask(owner, { workspace_id: id, visibility: 'public' })).data.forecast_id;
    assert.deepEqual(
      [await again(owner, open), await again(editor, open), await again(viewer, open), await again(stranger, open)],
      ['public here', 'public here', 'private null', 'private null'],
    );
    const kept = (await ask(editor, { workspace_id: id, visibility: 'private' })).data.forecast_id;
    assert.deepEqual([await again(editor, kept), await again(owner, kept)], ['private here', 'NOT_FOUND']);
  },
);

forEachService('rows of a file are used again by who may still read it', async (service, owner) => {
  const { database } = service;
  const { id } = await makeWorkspace(database, owner.id);
  const csv = await makeCsvFile(database, id, owner.id);
  const source = { type: 'workspace_csv', workspace_id: id, csv_id: csv, time_field: 'date', value_field: 'value' };
  const { data, status, body } = await ask(owner, { workspace_id: id, source });
  assert.equal(status, 202, body);
  const open = (await ask(owner, { source, visibility: 'public' })).data.forecast_id;
  const again = async ({ ask: send }: Registered, forecast = data.forecast_id) => {
    const started = await send<Started>('POST', `${FORECASTS}/${forecast}/reproduce`);
    if (started.status === 202) await send('POST', `${FORECASTS}/${started.data.forecast_id}/cancel`);
    return started.code ?? started.status;
  };
  const editor = await join(service, id, { role: 'editor' });
  const withoutFiles = await join(service, id, { role: 'editor', csv_scope_mode: 'none' });
  const stranger = await register(service);
  assert.deepEqual([await again(owner), await again(editor)], [202, 202]);
  assert.equal((await withoutFiles.ask('GET', `${FORECASTS}/${data.forecast_id}`)).status, 200, 'it may see it');
  assert.equal(await again(withoutFiles), 'WORKSPACE_DENIED', 'but not have the file read for it');
  assert.equal((await ask(withoutFiles, { workspace_id: id, source })).code, 'WORKSPACE_DENIED');
  const refused = await stranger.ask('POST', `${FORECASTS}/${open}/reproduce`);
  assert.deepEqual([refused.status, refused.code], [403, 'WORKSPACE_DENIED'], 'though it is public');
  assert.match(JSON.parse(refused.body).error.message, /^The rows come from a file of a workspace, /);
  const ofAnother = await join(service, id, { role: 'editor', csv_scope_mode: 'selected', csv_scope_ids: ['csv_1'] });
  const ofTheFile = await join(service, id, { role: 'editor', csv_scope_mode: 'selected', csv_scope_ids: [csv] });
  const own = (await ask(ofTheFile, { workspace_id: id, source })).data.forecast_id;
  assert.deepEqual([await again(ofAnother), await again(ofTheFile)], ['WORKSPACE_DENIED', 202]);
  assert.equal((await owner.ask('DELETE', `${WORKSPACES}/${id}/csv/${csv}`)).status, 200);
  assert.deepEqual([await again(owner), await again(editor)], [202, 202], 'the rows are frozen');
  assert.deepEqual(
    [await again(withoutFiles), await again(ofAnother), await again(ofTheFile)],
    ['WORKSPACE_DENIED', 'WORKSPACE_DENIED', 'WORKSPACE_DENIED'],
    'a deletion opens nothing',
  );
  assert.equal(await again(ofTheFile, own), 202, 'what one has made oneself can be made again');
  assert.equal(await again(ofAnother, own), 'WORKSPACE_DENIED');
});

forEachService('a public forecast is seen by all, and who may not change it is told why', async (service, owner) => {
  const { id } = await makeWorkspace(service.database, owner.id);
  const inside = (await ask(owner, { workspace_id: id, visibility: 'public' })).data.forecast_id;
  const outside = (await ask(owner, { visibility: 'public' })).data.forecast_id;
  const viewer = await join(service, id);
  const blind = await join(service, id, { role: 'editor', forecasts_scope_mode: 'none' });
  const stranger = await register(service);
  const cancel = async (who: Registered, forecast: string) => {
    const { status, body } = await who.ask('POST', `${FORECASTS}/${forecast}/cancel`);
    const { code, message } = JSON.parse(body).error;
    assert.equal(status, 403);
    return `${code}: ${message}`;
  };
  const place = 'WORKSPACE_DENIED: Your place in the workspace of this forecast does not allow this.';
  assert.deepEqual([await cancel(viewer, inside), await cancel(blind, inside)], [place, place]);
  for (const who of [viewer, blind, stranger]) {
    assert.match(await cancel(who, outside), /^OWNERSHIP_REQUIRED: Only who made this forecast can do this\./);
  }
  assert.match(await cancel(stranger, inside), /^OWNERSHIP_REQUIRED: Only who made this forecast, and who has a place/);
  for (const forecast of [inside, outside]) {
    const { data } = await stranger.ask<{ status: string }>('GET', `${FORECASTS}/${forecast}`);
    assert.equal(data.status, 'queued');
  }
});
