import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Account } from '../../src/access/index.ts';
import { type ForecastChange, updateForecast } from '../../src/forecasts/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeMember, makeWorkspace, WORKSPACES } from '../support/workspaces/workspaces.ts';

interface View {
  readonly forecast_id: string;
  readonly slug: string;
  readonly title: string | null;
  readonly visibility: string;
  readonly status: string;
}

describe(`changing a forecast [${testedKind}]`, () => {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(testedKind);
  });
  after(() => service?.[Symbol.asyncDispose]());

  const change = ({ request }: Caller, id: string, body: object) => request<View>('PATCH', `${FORECASTS}/${id}`, body);
  const read = ({ request }: Caller, id: string) => request<View>('GET', `${FORECASTS}/${id}`);
  const createOne = async (caller: Caller, fields: object = {}) => {
    const { status, data, body } = await create(caller, fields);
    assert.equal(status, 202, body);
    return data;
  };
  const complete = async (id: string) =>
    runAttempt(service, await activateJob(service.database, id), async () => computeResult());
  /** Sends a request with an If-Match header. */
  const withTag = (caller: Caller, tag: string) => requestAs(service.app, { ...caller.credentials, 'if-match': tag });

  test('gives a forecast a title and removes it in every state; the slug and the proof stay', async () => {
    const caller = await service.account();
    const enter: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
      queued: async () => {},
      running: (id) => sql`UPDATE forecast SET status = 'running' WHERE id = ${id}`.execute(service.database.query()),
      failed: (id) => caller.request('POST', `${FORECASTS}/${id}/cancel`),
      completed: complete,
    };
    for (const [status, enterState] of Object.entries(enter)) {
      const { forecast_id: id, slug } = await createOne(caller, { title: 'First' });
      await enterState(id);
      const proof = await caller.request('GET', `${FORECASTS}/${id}/proof`);
      const titled = await change(caller, slug, { title: `  Now ${status} ` });
      assert.deepEqual([titled.status, titled.data.title, titled.data.slug], [200, `Now ${status}`, slug]);
      const stored = await read(caller, id);
      assert.deepEqual([titled.body, titled.headers.etag], [stored.body, stored.headers.etag]);
      assert.match(String(titled.headers.etag), /^"[\w-]{43}"$/);
      const untitled = await change(caller, id, { title: null });
      assert.deepEqual([untitled.data.title, untitled.data.slug, untitled.data.status], [null, slug, status]);
      assert.notEqual(untitled.headers.etag, titled.headers.etag);
      assert.equal((await caller.request('GET', `${FORECASTS}/${id}/proof`)).body, proof.body);
    }
  });

  test('refuses a body that names no change or an invalid one, and changes nothing', async () => {
    const caller = await service.account();
    const { forecast_id: id } = await createOne(caller, { title: 'Kept' });
    const before = await read(caller, id);
    const refused: [body: object, message: RegExp][] = [
      [{}, /must contain a title or a visibility/],
      [[], /body/],
      [{ title: '' }, /^title: /],
      [{ title: ' \t ' }, /^title: /],
      [{ title: 'x'.repeat(201) }, /^title: /],
      [{ title: 'two\nlines' }, /^title: must be one line/],
      [{ title: '\u202eright to left' }, /^title: must not contain characters that change/],
      [{ title: 'half \ud83d' }, /^title: /],
      [{ title: 7 }, /^title: /],
      [{ title: 'New', slug: 'new' }, /slug/],
      [{ title: 'New', horizon: 5 }, /horizon/],
      [{ visibility: 'secret' }, /^visibility: /],
      [{ visibility: null }, /^visibility: /],
      [{ visibility: 'workspace', title: 'New' }, /^visibility: "workspace" requires a forecast in a workspace/],
      [{ __proto__: null, constructor: 'New' }, /constructor/],
    ];
    for (const [body, message] of refused) {
      const { status, code, body: text } = await change(caller, id, body);
      assert.deepEqual([status, code], [400, 'INVALID_REQUEST'], text);
      assert.match(JSON.parse(text).error.message, message);
    }
    assert.equal((await read(caller, id)).body, before.body);
  });

  test('a change to what is stored writes nothing', async () => {
    const caller = await service.account();
    const { forecast_id: id } = await createOne(caller, { title: 'Same' });
    const version = async () => {
      const { rows } = await sql`SELECT xmin::text FROM forecast WHERE id = ${id}`.execute(service.database.query());
      return rows[0];
    };
    const before = await version();
    const { status, data } = await change(caller, id, { title: 'Same', visibility: 'private' });
    assert.deepEqual([status, data.title, data.visibility], [200, 'Same', 'private']);
    assert.deepEqual(await version(), before);
    await change(caller, id, { title: 'Other' });
    assert.notDeepEqual(await version(), before);
  });

  test('a forecast becomes public and private again for other callers', async () => {
    const [caller, other, guest] = [await service.account(), await service.account(), await service.guest()];
    const { forecast_id: id } = await createOne(caller);
    const statuses = async () => [(await read(other, id)).status, (await read(guest, id)).status];
    assert.deepEqual(await statuses(), [404, 404]);
    assert.equal((await change(caller, id, { visibility: 'public' })).data.visibility, 'public');
    assert.deepEqual(await statuses(), [200, 200]);
    for (const visitor of [other, guest]) {
      const { status, code } = await change(visitor, id, { title: 'Mine' });
      assert.deepEqual([status, code], [403, 'OWNERSHIP_REQUIRED']);
    }
    assert.equal((await change(caller, id, { visibility: 'private' })).data.visibility, 'private');
    assert.deepEqual(await statuses(), [404, 404]);
    assert.equal((await change(other, id, { title: 'Mine' })).code, 'NOT_FOUND');
    assert.equal((await read(caller, id)).data.title, null);
  });

  test('guests rename their own forecasts, but have no public ones', async () => {
    const [guest, other] = [await service.guest(), await service.guest()];
    const created = await create(guest, { visibility: 'public' });
    assert.deepEqual([created.status, created.code], [403, 'ACCOUNT_REQUIRED']);
    assert.match(created.body, /visibility: guests cannot make a forecast public/);
    const { forecast_id: id } = await createOne(guest);
    const published = await change(guest, id, { visibility: 'public', title: 'Public' });
    assert.deepEqual([published.status, published.code], [403, 'ACCOUNT_REQUIRED']);
    assert.equal((await change(other, id, { title: 'Mine' })).code, 'NOT_FOUND');
    assert.equal((await change(other, id, { visibility: 'public' })).code, 'NOT_FOUND');
    const renamed = await change(guest, id, { title: 'Own', visibility: 'private' });
    assert.deepEqual([renamed.status, renamed.data.title, renamed.data.visibility], [200, 'Own', 'private']);
  });

  test('sharing a forecast adds it to the selected scope of its creator, and making it private removes it from all', async () => {
    const { database } = service;
    const [owner, creator, reader] = await Promise.all([service.account(), service.account(), service.account()]);
    const { id: workspace_id } = await makeWorkspace(database, owner.accountId ?? '');
    const { forecast_id: shared } = await createOne(owner, { workspace_id });
    const scope = { forecasts_scope_mode: 'selected' as const, forecasts_scope_ids: [shared] };
    await makeMember(database, workspace_id, creator.accountId ?? '', { role: 'editor', ...scope });
    const member = await makeMember(database, workspace_id, reader.accountId ?? '', scope);
    const scopeOf = async ({ request }: Caller) => {
      const { data } = await request<{ resource_scope: { forecasts: { ids: string[] } } }>(
        'GET',
        `${WORKSPACES}/${workspace_id}`,
      );
      return data.resource_scope.forecasts.ids;
    };
    const { forecast_id: id } = await createOne(creator, { workspace_id, visibility: 'private' });
    assert.equal((await change(owner, id, { visibility: 'public' })).code, 'NOT_FOUND');
    assert.equal((await change(creator, id, { visibility: 'workspace' })).status, 200);
    assert.deepEqual(await scopeOf(creator), [shared, id]);
    const extend = await owner.request('PATCH', `${WORKSPACES}/${workspace_id}/collaborators/${member}`, {
      resource_scope: { csv: { mode: 'all' }, forecasts: { mode: 'selected', ids: [shared, id] } },
    });
    assert.equal(extend.status, 200, extend.body);
    assert.equal((await read(reader, id)).status, 200);
    // Public to workspace and back changes no scope.
    for (const visibility of ['public', 'workspace']) {
      assert.equal((await change(owner, id, { visibility })).status, 200);
      assert.deepEqual(await scopeOf(creator), [shared, id]);
    }
    for (const other of [owner, reader]) {
      const { status, code } = await change(other, id, { visibility: 'private' });
      assert.deepEqual([status, code], [403, other === owner ? 'OWNERSHIP_REQUIRED' : 'WORKSPACE_DENIED']);
    }
    assert.equal((await change(creator, id, { visibility: 'private' })).status, 200);
    assert.deepEqual([await scopeOf(creator), await scopeOf(reader)], [[shared], [shared]]);
    assert.equal((await read(reader, id)).status, 404);
    assert.equal((await change(creator, id, { visibility: 'public' })).status, 200);
    assert.deepEqual(await scopeOf(creator), [shared, id]);
    const renamed = await change(creator, shared, { title: 'By an editor' });
    assert.deepEqual([renamed.status, renamed.data.title], [200, 'By an editor']);
  });

  test('the proof of a completed forecast is handed over once when it becomes public', async () => {
    const caller = await service.account();
    const account = { kind: 'account', accountId: caller.accountId } as Account;
    const context = { ...service.forecasts, stamps: { isConfigured: true, selection: 'public' as const } };
    const update = (id: string, body: ForecastChange) => updateForecast(context, account, id, body);
    const handedOver = async (id: string) => {
      const { rows } = await sql`SELECT subject FROM proof WHERE subject = ${id}`.execute(service.database.query());
      return rows.length;
    };
    const [{ forecast_id: completed }, { forecast_id: queued }] = [await createOne(caller), await createOne(caller)];
    await complete(completed);
    await update(completed, { title: 'Still private' });
    assert.equal(await handedOver(completed), 0);
    for (const visibility of ['public', 'private', 'public'] as const) {
      await update(completed, { visibility });
      assert.equal(await handedOver(completed), 1);
    }
    // A queued one has no proof yet. It is handed over on completion.
    await update(queued, { visibility: 'public' });
    assert.equal(await handedOver(queued), 0);
  });

  test('If-Match refuses a stale version of a change and of a deletion', async () => {
    const caller = await service.account();
    const { forecast_id: id } = await createOne(caller);
    const path = `${FORECASTS}/${id}`;
    const first = String((await read(caller, id)).headers.etag);
    const second = await withTag(caller, first)<View>('PATCH', path, { title: 'Second' });
    assert.deepEqual([second.status, second.data.title], [200, 'Second']);
    const tag = String(second.headers.etag);
    const before = await read(caller, id);
    assert.equal(before.headers.etag, tag);
    const stale = [first, '""', '"x"', tag.slice(1, -1), `W/${tag}`, `${tag} ${tag}`, `"x,${tag},y"`, `${tag}x`, ''];
    for (const header of stale) {
      for (const [method, body] of [['PATCH', { title: 'Third' }], ['DELETE']] as const) {
        const { status, code, body: text } = await withTag(caller, header)(method, path, body);
        assert.deepEqual([status, code], [412, 'PRECONDITION_FAILED'], `${method} ${header} ${text}`);
      }
    }
    assert.equal((await read(caller, id)).body, before.body);
    const listed = await withTag(caller, ` "x" ,\t${tag}, W/"y"`)<View>('PATCH', path, { title: 'Third' });
    assert.equal(listed.status, 200, listed.body);
    assert.equal((await withTag(caller, '*')('PATCH', path, { title: 'Fourth' })).status, 200);
    const last = String((await read(caller, id)).headers.etag);
    assert.equal((await withTag(caller, last)('DELETE', path)).status, 200);
    assert.equal((await withTag(caller, '*')('DELETE', path)).status, 404);
  });

  test('the version of a running forecast changes with its progress; If-None-Match concerns only reading', async () => {
    const caller = await service.account();
    const { forecast_id: id } = await createOne(caller);
    const path = `${FORECASTS}/${id}`;
    const tag = String((await read(caller, id)).headers.etag);
    const cached = (method: 'GET' | 'PATCH', body?: object) =>
      service.app.inject({
        method,
        url: `/api${path}`,
        headers: { ...caller.credentials, 'if-none-match': tag },
        ...(body && { payload: body }),
      });
    assert.equal((await cached('GET')).statusCode, 304);
    const same = await cached('PATCH', { title: null });
    assert.deepEqual([same.statusCode, same.headers.etag], [200, tag]);
    const progress = { completed_models: 1, total_models: 2, current_model: 'ets' };
    await sql`UPDATE forecast SET status = 'running', progress = ${JSON.stringify(progress)} WHERE id = ${id}`.execute(
      service.database.query(),
    );
    assert.equal((await cached('GET')).statusCode, 200);
    assert.equal((await withTag(caller, tag)('PATCH', path, { title: 'Late' })).status, 412);
  });

  test('a caller without access gets 404 or 403, not 412, and an owner learns no version of what it cannot read', async () => {
    const [owner, editor, other] = await Promise.all([service.account(), service.account(), service.account()]);
    const { id: workspace_id } = await makeWorkspace(service.database, owner.accountId ?? '');
    await makeMember(service.database, workspace_id, editor.accountId ?? '', { role: 'editor' });
    const { forecast_id: id } = await createOne(editor, { workspace_id, visibility: 'private' });
    const path = `${FORECASTS}/${id}`;
    const tag = String((await read(editor, id)).headers.etag);
    for (const header of ['"stale"', tag]) {
      assert.equal((await withTag(other, header)('PATCH', path, { title: 'Mine' })).status, 404);
      assert.equal((await withTag(other, header)('DELETE', path)).status, 404);
      assert.equal((await withTag(owner, header)('PATCH', path, { title: 'Mine' })).status, 404);
      assert.equal((await withTag(owner, header)('DELETE', path)).status, 412);
    }
    await change(editor, id, { visibility: 'public' });
    assert.equal((await withTag(other, '"stale"')('PATCH', path, { title: 'Mine' })).status, 403);
    assert.equal((await withTag(editor, '"stale"')('PATCH', path, { visibility: 'x' })).status, 400);
    await change(editor, id, { visibility: 'private' });
    assert.equal((await withTag(owner, '*')('DELETE', path)).status, 200);
  });
});
