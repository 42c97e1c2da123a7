import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Operation, type OperationId, operations } from '../../src/contract/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { FORECASTS, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { countStatements } from '../support/platform/counted-database.ts';
import { testedKind } from '../support/platform/database.ts';
import { readTableVersions } from '../support/platform/table-versions.ts';
import { eventRequest } from '../support/scout/events.ts';
import type { CallerName } from './callers.ts';
import { externalIssuer } from './external-issuer.ts';
import { ID_FORMS, type IdForm, toInjection } from './prepare-request.ts';
import type { Request } from './row.ts';
import { ROWS } from './rows.ts';
import { openWorld, type Scene, type World } from './world.ts';

let service: ForecastService;
let world: World;
let statements: () => number;

before(async () => {
  service = await openForecastService(testedKind, {
    wrapDatabase: (database) => {
      const counted = countStatements(database);
      statements = counted.statements;
      return counted.database;
    },
  });
  world = await openWorld(service);
});

after(async () => {
  await externalIssuer[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

/** Callers that may see nothing of the owner's. */
const OUTSIDERS: readonly CallerName[] = [
  'owner of another workspace',
  'administrator of another workspace',
  'pro account by session',
  'free account by session',
  'verified free administrator by key',
  'another guest',
];

/** Returns the callers to whom an operation shows nothing of the owner's. Administrators see which accounts exist. */
function outsidersOf({ action }: Operation): readonly CallerName[] {
  if (!action.startsWith('administration.')) return OUTSIDERS;
  return OUTSIDERS.filter((name) => !name.includes('administrator'));
}

/** Members whose resource scope does not list the resource. */
const SCOPED_MEMBERS: readonly CallerName[] = [
  'editor of another resource',
  'editor of an empty list',
  'editor of nothing',
  'viewer of another resource',
  'viewer of an empty list',
  'viewer of nothing',
];

const REQUEST_ID = '0190163d-8694-739b-aea5-966c26f8ad91';

/** Returns an id of the same form that does not exist. */
const unusedId = (id: string) => `${id.slice(0, -26)}${'0'.repeat(26)}`;
const UNUSED = { slug: 'nothing-of-this-name-00000000' };

type Resources = Partial<Scene>;

/** Replaces the ids of some resources by ids that do not exist. */
function withUnusedIds({ workspace, forecast, event, csv, collaborator }: Resources): Resources {
  return {
    ...(workspace && { workspace: { id: unusedId(workspace.id), ...UNUSED } }),
    ...(forecast && { forecast: { id: unusedId(forecast.id), ...UNUSED } }),
    ...(event && { event: { id: unusedId(event.id), ...UNUSED } }),
    ...(csv && { csv: unusedId(csv) }),
    ...(collaborator && { collaborator: unusedId(collaborator) }),
  };
}

const MAX_REPEATS = 5;

interface HiddenCase {
  readonly scene: Scene;
  readonly request: Request;
}

/** Returns the response to each case and its number of statements. */
async function answersTo(name: CallerName, operation: Operation, cases: readonly HiddenCase[], idForm: IdForm) {
  const caller = await world.caller(name);
  const answers = [];
  for (const { scene, request } of cases) {
    const injection = toInjection({ operation, request, caller, scene, idForm });
    const headers = { ...injection.headers, 'x-request-id': REQUEST_ID };
    const before = statements();
    const { statusCode, body } = await service.app.inject({ ...injection, headers });
    answers.push({ status: statusCode, body, statements: statements() - before });
  }
  return answers;
}

/** Requests a resource that exists and one that does not: the caller must not see a difference. */
async function assertSame(
  name: CallerName,
  operation: Operation,
  cases: readonly HiddenCase[],
  idForm: IdForm,
): Promise<void> {
  let answers = await answersTo(name, operation, cases, idForm);
  // A request sometimes also renews the caller's share of the rate limit. Only a real difference persists.
  for (let repeats = 0; repeats < MAX_REPEATS && new Set(answers.map((one) => one.statements)).size > 1; repeats++) {
    answers = await answersTo(name, operation, cases, idForm);
  }
  const [existing, ...missing] = answers;
  assert.ok(existing?.status === 403 || existing?.status === 404, `${name}, by ${idForm}: ${existing?.status}`);
  for (const answer of missing) assert.deepEqual(answer, existing, `${name}, by ${idForm}`);
}

/** Returns the owner's request, and the same with ids that do not exist. */
async function requestsFor(id: OperationId, scene: Scene, none: Scene) {
  const { identity } = service;
  const caller = await world.caller('owner');
  const own = (await ROWS[id].request?.({ identity, caller, scene, workspace: null })) ?? {};
  const params = Object.entries(own.params ?? {}).map(([name, value]) => [name, unusedId(value)]);
  const again = (await ROWS[id].request?.({ identity, caller, scene: none, workspace: null })) ?? {};
  return [own, { ...again, ...(own.params && { params: Object.fromEntries(params) }) }] as const;
}

/** Without those whose path is the credential: every caller that has it may see the resource. */
const withIds = Object.entries<Operation>(operations).filter(
  ([, { path, credential }]) => path.includes('{') && credential !== 'path',
);

for (const [position, [name, operation]] of withIds.entries()) {
  const id = name as OperationId;
  const has = (param: string) => operation.path.includes(`{${param}}`);
  /** Every second caller uses the slug. The two halves swap with each operation. */
  const idFormOf = (index: number): IdForm => ID_FORMS[(index + position) % 2] ?? 'id';

  test(`${id}: hides the resources of others as if they did not exist`, async () => {
    const scene = await world.scene('owner');
    const none = { ...scene, ...withUnusedIds(scene) };
    const [request, otherRequest] = await requestsFor(id, scene, none);
    const inner = { ...scene, ...withUnusedIds({ csv: scene.csv, collaborator: scene.collaborator }) };
    const cases = [
      { scene, request },
      { scene: none, request: otherRequest },
      ...(has('csv_id') || has('collaborator_id') ? [{ scene: inner, request }] : []),
    ];
    const outsiders = outsidersOf(operation);
    for (const outsider of outsiders) await world.scene(outsider);
    const before = await readTableVersions(service.database);
    for (const [index, outsider] of outsiders.entries()) {
      await assertSame(outsider, operation, cases, idFormOf(index));
    }
    assert.deepEqual(await readTableVersions(service.database), before, 'a refused request changes nothing');
  });

  if (has('csv_id') || has('forecast_id')) {
    test(`${id}: hides resources outside the resource scope as if they did not exist`, async () => {
      for (const [index, member] of SCOPED_MEMBERS.entries()) {
        const scene = await world.scene(member);
        const none = { ...scene, ...withUnusedIds({ csv: scene.csv, forecast: scene.forecast, event: scene.event }) };
        const { body, query } = (await requestsFor(id, scene, none))[0];
        const request = { ...(body && { body }), ...(query && { query }) };
        const cases = [
          { scene, request },
          { scene: none, request },
        ];
        await assertSame(member, operation, cases, idFormOf(index));
      }
    });
  }

  if (has('csv_id') || has('collaborator_id') || id === 'transferWorkspace') {
    test(`${id}: hides resources of another workspace, even from the owner of the workspace in the path`, async () => {
      const own = await world.scene('owner');
      const { csv, collaborator } = await world.scene('pro key with every scope');
      const elsewhere = { ...own, csv, collaborator };
      const none = { ...own, ...withUnusedIds({ csv, collaborator }) };
      const [request] = await requestsFor(id, elsewhere, none);
      const [otherRequest] = await requestsFor(id, none, none);
      const cases = [
        { scene: elsewhere, request },
        { scene: none, request: otherRequest },
      ];
      for (const idForm of ID_FORMS) await assertSame('owner', operation, cases, idForm);
    });
  }
}

const points = Array.from({ length: 10 }, (_, i) => ({ timestamp: new Date(Date.UTC(2024, 0, 1 + i)), value: i }));

test('hides a workspace and a file that the body or the query names', async () => {
  const { createForecast, listModels }: Record<string, Operation> = operations;
  const scene = await world.scene('owner');
  const none = { ...scene, ...withUnusedIds(scene) };
  const inside = ({ workspace }: Scene, idForm: IdForm) => ({
    body: { workspace_id: workspace[idForm], source: { type: 'inline', points }, horizon: 3 },
  });
  const fromFile = ({ workspace, csv }: Scene, idForm: IdForm) => {
    const source = { type: 'workspace_csv', workspace_id: workspace[idForm], csv_id: csv };
    return { body: { source: { ...source, time_field: 'date', value_field: 'value' }, horizon: 3 } };
  };
  for (const idForm of ID_FORMS) {
    const both = (request: (of: Scene, idForm: IdForm) => Request, ...scenes: readonly Scene[]) =>
      scenes.map((one) => ({ scene: one, request: request(one, idForm) }));
    for (const outsider of OUTSIDERS) {
      await assertSame(outsider, createForecast as Operation, both(inside, scene, none), idForm);
      await assertSame(outsider, createForecast as Operation, both(fromFile, scene, none), idForm);
      await assertSame(
        outsider,
        listModels as Operation,
        both(({ workspace }) => ({ query: `?workspace_id=${workspace[idForm]}` }), scene, none),
        idForm,
      );
    }
    for (const member of SCOPED_MEMBERS) {
      const own = await world.scene(member);
      const without = { ...own, ...withUnusedIds({ csv: own.csv }) };
      await assertSame(member, createForecast as Operation, both(fromFile, own, without), idForm);
    }
  }
});

test('hides a forecast, a file and a workspace that a request about events names', async () => {
  const { createEvent, createEventsFromForecast, listEvents, readScoreboard }: Record<string, Operation> = operations;
  const scene = await world.scene('owner');
  const none = { ...scene, ...withUnusedIds(scene) };
  const question = (fields: object) => ({ body: eventRequest(fields) });
  const observed_at = new Date(Date.now() + 5 * 86_400_000).toISOString();
  const byFile = ({ workspace, csv }: Scene, idForm: IdForm) => {
    const source = { type: 'workspace_csv', workspace_id: workspace[idForm], csv_id: csv };
    const columns = { time_field: 'date', value_field: 'value' };
    return question({
      resolution_rule: { type: 'threshold', op: 'gt', threshold: 1, observed_at, source: { ...source, ...columns } },
    });
  };
  const requests: readonly (readonly [Operation | undefined, (of: Scene, idForm: IdForm) => Request])[] = [
    [createEvent, ({ workspace }, idForm) => question({ workspace_id: workspace[idForm] })],
    [createEvent, byFile],
    [
      createEventsFromForecast,
      ({ forecast }, idForm) => ({ body: { forecast_id: forecast[idForm], thresholds: [1] } }),
    ],
    [listEvents, ({ workspace }, idForm) => ({ query: `?workspace_id=${workspace[idForm]}` })],
    [readScoreboard, ({ workspace }, idForm) => ({ query: `?workspace_id=${workspace[idForm]}` })],
  ];
  for (const idForm of ID_FORMS) {
    for (const [operation, request] of requests) {
      const cases = [scene, none].map((one) => ({ scene: one, request: request(one, idForm) }));
      for (const outsider of OUTSIDERS) await assertSame(outsider, operation as Operation, cases, idForm);
    }
  }
});

test('lists only the caller’s own resources', async () => {
  const { forecast, event, workspace } = await world.scene('owner');
  const { accountId } = await world.caller('owner');
  for (const outsider of OUTSIDERS) {
    await world.scene(outsider);
    const send = requestAs(service.app, (await world.caller(outsider)).credentials);
    for (const path of [
      FORECASTS,
      '/v1/forecasts',
      '/v1/workspaces',
      '/v1/me/access',
      '/v1/me/api-keys',
      '/v1/me/sessions',
    ]) {
      const { body } = await send('GET', path);
      for (const hidden of [forecast.id, event.id, workspace.id, accountId ?? '']) {
        assert.ok(!body.includes(hidden), `${outsider} at ${path}`);
      }
    }
  }
  const send = requestAs(service.app, (await world.caller('owner')).credentials);
  assert.ok((await send('GET', '/v1/workspaces')).body.includes(workspace.id));
});
