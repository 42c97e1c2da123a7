import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Operation, type OperationId, type Operations, operations } from '../../src/contract/index.ts';
import { createApiKey } from '../../src/identity/index.ts';
import { type Ask, askAs, type Reply } from '../support/ask.ts';
import { makeAccount, withKey, withSession } from '../support/callers.ts';
import { DAILY_CSV, makeCsvFile } from '../support/csv-files.ts';
import { availableKinds } from '../support/database.ts';
import { FORECASTS, type ForecastService, inlineRequest, openForecastService } from '../support/forecast-service.ts';
import { restingRows } from '../support/rows.ts';
import { makeMember, makeWorkspace } from '../support/workspaces.ts';

/** The operations that are about one thing, named in the path. */
type NamingOperation = {
  [Id in OperationId]: Operations[Id]['path'] extends `${string}{${string}}${string}` ? Id : never;
}[OperationId];

let service: ForecastService;
let owner: { readonly id: string; readonly ask: Ask };
const strangers: Record<string, Ask> = {};

before(async () => {
  service = await openForecastService(availableKinds.at(-1) ?? 'pglite');
  const { identity, app } = service;
  const account = await makeAccount(identity, { plan: 'enterprise' });
  owner = { id: account.id, ask: askAs(app, await withSession(identity, account.email)) };
  const other = await makeAccount(identity, { plan: 'enterprise', administrator: true });
  strangers['an administrator by session'] = askAs(app, await withSession(identity, other.email));
  strangers['an administrator by key'] = askAs(app, await withKey(identity, other.id));
  strangers['a free account by session'] = askAs(
    app,
    await withSession(identity, (await makeAccount(identity, { plan: 'free' })).email),
  );
  strangers['a guest'] = (await service.guest()).ask;
});

after(() => service?.[Symbol.asyncDispose]());

/** What a path names, and what is asked of it. */
interface Thing {
  readonly params: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object | string;
}

/** One that nobody has, of the same form as the owner's. */
const nobodys = (id: string) => `${id.slice(0, -26)}${'0'.repeat(26)}`;

async function makeForecast(): Promise<string> {
  const { data } = await owner.ask<{ forecast_id: string }>('POST', FORECASTS, inlineRequest());
  assert.equal((await owner.ask('GET', `${FORECASTS}/${data.forecast_id}`)).status, 200);
  return data.forecast_id;
}

async function makeKey(): Promise<string> {
  const key = await createApiKey(service.identity, {
    accountId: owner.id,
    name: 'the owner’s',
    scopes: ['events:read'],
  });
  return key.id;
}

async function makeSession(): Promise<string> {
  const { data } = await owner.ask<{ sessions: { id: string }[] }>('GET', '/v1/me/sessions');
  return data.sessions[0]?.id ?? '';
}

async function makeOwnWorkspace(): Promise<Thing> {
  return { params: { workspace_id: (await makeWorkspace(service.database, owner.id)).id } };
}

async function makeCollaborator(): Promise<Thing> {
  const { id } = await makeWorkspace(service.database, owner.id);
  const { id: memberId } = await makeAccount(service.identity, { password: null });
  return {
    params: { workspace_id: id, collaborator_id: await makeMember(service.database, id, memberId) },
  };
}

async function makeFile(): Promise<Thing> {
  const { id } = await makeWorkspace(service.database, owner.id);
  return { params: { workspace_id: id, csv_id: await makeCsvFile(service.database, id, owner.id) } };
}

const withBody = (make: () => Promise<Thing>, body: object) => async () => ({ ...(await make()), body });

/** How the owner gets the thing, by its id or more. A new operation that names one does not compile without. */
const THINGS: Record<NamingOperation, () => Promise<string | Thing>> = {
  readForecast: makeForecast,
  watchForecast: makeForecast,
  readForecastProof: makeForecast,
  exportForecast: makeForecast,
  cancelForecast: makeForecast,
  reproduceForecast: makeForecast,
  prepareSaveForecast: makeForecast,
  saveForecast: makeForecast,
  revokeApiKey: makeKey,
  endSessionById: makeSession,
  readWorkspace: makeOwnWorkspace,
  renameWorkspace: withBody(makeOwnWorkspace, { name: 'Mine now' }),
  deleteWorkspace: makeOwnWorkspace,
  transferWorkspace: async () => {
    const { params } = await makeCollaborator();
    return { params, body: { collaborator_id: params.collaborator_id } };
  },
  listCollaborators: makeOwnWorkspace,
  addCollaborator: withBody(makeOwnWorkspace, { email: 'friend@example.org', role: 'editor' }),
  updateCollaborator: withBody(makeCollaborator, { role: 'editor' }),
  removeCollaborator: makeCollaborator,
  listCsvFiles: makeOwnWorkspace,
  uploadCsvFile: async () => ({ ...(await makeOwnWorkspace()), query: '?name=daily.csv', body: DAILY_CSV }),
  readCsvFile: makeFile,
  downloadCsvFile: makeFile,
  deleteCsvFile: makeFile,
};

for (const [id, make] of Object.entries(THINGS)) {
  const { method, path }: Operation = operations[id as OperationId];
  test(`${id}: what is somebody else’s is answered as what is not there`, async () => {
    const made = await make();
    const thing: Thing = typeof made === 'string' ? { params: { [/\{(\w+)\}/.exec(path)?.[1] ?? '']: made } } : made;
    const before = await restingRows(service.database);
    for (const [name, ask] of Object.entries(strangers)) {
      const at = (named: (id: string) => string): Promise<Reply<unknown>> =>
        ask(
          method,
          path.replaceAll(/\{(\w+)\}/g, (_, param) => named(thing.params[param] ?? '')) + (thing.query ?? ''),
          thing.body,
        );
      const theirs = await at((id) => id);
      const none = await at(nobodys);
      assert.ok(theirs.status === 403 || theirs.status === 404, `${name}: ${theirs.status}`);
      assert.deepEqual([theirs.status, theirs.body], [none.status, none.body], name);
    }
    assert.deepEqual(await restingRows(service.database), before, 'nothing has changed');
  });
}

test('lists hold what is the caller’s own', async () => {
  await makeForecast();
  await makeKey();
  for (const [name, ask] of Object.entries(strangers)) {
    for (const path of [FORECASTS, '/v1/me/api-keys', '/v1/me/sessions', '/v1/me/security-events']) {
      const { body } = await ask('GET', path);
      assert.ok(!body.includes(owner.id) && !body.includes('the owner’s'), `${name} at ${path}`);
    }
    const { status, data } = await ask<{ forecasts: unknown[] }>('GET', FORECASTS);
    assert.deepEqual([status, data.forecasts], [200, []], name);
  }
  const { data } = await owner.ask<{ forecasts: unknown[] }>('GET', FORECASTS);
  assert.ok(data.forecasts.length > 0);
});
