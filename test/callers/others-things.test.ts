import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Operation, type OperationId, operations } from '../../src/contract/index.ts';
import { askAs } from '../support/api/ask.ts';
import { FORECASTS, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { countStatements } from '../support/platform/counted-database.ts';
import { testedKind } from '../support/platform/database.ts';
import { readComparableRows } from '../support/platform/rows.ts';
import { eventRequest } from '../support/scout/events.ts';
import { injectionOf, NAMES, type Named } from './ask-cell.ts';
import type { CallerName } from './callers.ts';
import { externalIssuer } from './external-issuer.ts';
import { type Request, ROWS } from './operations.ts';
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

/** To them everything of the owner's is somebody else's. */
const STRANGERS: readonly CallerName[] = [
  'owner of another workspace',
  'administrator of another workspace',
  'pro account by session',
  'free account by session',
  'verified free administrator by key',
  'another guest',
];

/** To them what their scope does not list is not there. */
const BOUNDED: readonly CallerName[] = [
  'editor of another resource',
  'editor of an empty list',
  'editor of nothing',
  'viewer of another resource',
  'viewer of an empty list',
  'viewer of nothing',
];

const REQUEST_ID = '0190163d-8694-739b-aea5-966c26f8ad91';

/** One that nobody has, of the same form. */
const nobodys = (id: string) => `${id.slice(0, -26)}${'0'.repeat(26)}`;
const NOBODYS = { slug: 'nothing-of-this-name-00000000' };

type Things = Partial<Scene>;

/** The same things, or some of them, if they were not there. */
function missing({ workspace, forecast, event, csv, collaborator }: Things): Things {
  return {
    ...(workspace && { workspace: { id: nobodys(workspace.id), ...NOBODYS } }),
    ...(forecast && { forecast: { id: nobodys(forecast.id), ...NOBODYS } }),
    ...(event && { event: { id: nobodys(event.id), ...NOBODYS } }),
    ...(csv && { csv: nobodys(csv) }),
    ...(collaborator && { collaborator: nobodys(collaborator) }),
  };
}

/** What is answered, and how many statements it takes: the fewer of two, for the first may have to count the caller. */
async function answerTo(name: CallerName, operation: Operation, request: Request, scene: Scene, named: Named) {
  const injection = injectionOf({ operation, request, caller: await world.caller(name), scene, named });
  const headers = { ...injection.headers, 'x-request-id': REQUEST_ID };
  const ask = async () => {
    const before = statements();
    const { statusCode, body } = await service.app.inject({ ...injection, headers });
    return { status: statusCode, body, statements: statements() - before };
  };
  const [first, second] = [await ask(), await ask()];
  assert.equal(first.body, second.body);
  return { ...first, statements: Math.min(first.statements, second.statements) };
}

/** Asks for what is there and for what is not: the caller must not see a difference. */
async function assertSame(
  name: CallerName,
  operation: Operation,
  cases: readonly { readonly scene: Scene; readonly request: Request }[],
): Promise<void> {
  for (const named of NAMES) {
    const answers = [];
    for (const { scene, request } of cases) answers.push(await answerTo(name, operation, request, scene, named));
    const [theirs, ...none] = answers;
    assert.ok(theirs?.status === 403 || theirs?.status === 404, `${name}, by ${named}: ${theirs?.status}`);
    for (const answer of none) assert.deepEqual(answer, theirs, `${name}, by ${named}`);
  }
}

/** What the owner would ask with, and the same with names that nobody has. */
async function requestsFor(id: OperationId, scene: Scene, none: Scene) {
  const { identity } = service;
  const caller = await world.caller('owner');
  const made = (await ROWS[id].request?.({ identity, caller, scene, workspace: null })) ?? {};
  const params = Object.entries(made.params ?? {}).map(([name, value]) => [name, nobodys(value)]);
  const again = (await ROWS[id].request?.({ identity, caller, scene: none, workspace: null })) ?? {};
  return [made, { ...again, ...(made.params && { params: Object.fromEntries(params) }) }] as const;
}

const naming = Object.entries<Operation>(operations).filter(([, { path }]) => path.includes('{'));

for (const [name, operation] of naming) {
  const id = name as OperationId;
  const has = (param: string) => operation.path.includes(`{${param}}`);

  test(`${id}: what is somebody else’s is answered as what is not there`, async () => {
    const scene = await world.scene('owner');
    const none = { ...scene, ...missing(scene) };
    const [request, otherRequest] = await requestsFor(id, scene, none);
    const inner = { ...scene, ...missing({ csv: scene.csv, collaborator: scene.collaborator }) };
    for (const stranger of STRANGERS) await world.scene(stranger);
    const before = await readComparableRows(service.database);
    for (const stranger of STRANGERS) {
      await assertSame(stranger, operation, [
        { scene, request },
        { scene: none, request: otherRequest },
        { scene: inner, request },
      ]);
    }
    assert.deepEqual(await readComparableRows(service.database), before, 'nothing has changed');
  });

  if (has('csv_id') || has('forecast_id')) {
    test(`${id}: what a scope does not list is answered as what is not there`, async () => {
      for (const member of BOUNDED) {
        const scene = await world.scene(member);
        const none = { ...scene, ...missing({ csv: scene.csv, forecast: scene.forecast, event: scene.event }) };
        const { body } = (await requestsFor(id, scene, none))[0];
        const request = body ? { body } : {};
        await assertSame(member, operation, [
          { scene, request },
          { scene: none, request },
        ]);
      }
    });
  }

  if (has('csv_id') || has('collaborator_id') || id === 'transferWorkspace') {
    test(`${id}: what is in another workspace is answered as what is not there, to its owner, too`, async () => {
      const own = await world.scene('owner');
      const { csv, collaborator } = await world.scene('pro key with every scope');
      const elsewhere = { ...own, csv, collaborator };
      const none = { ...own, ...missing({ csv, collaborator }) };
      const [request] = await requestsFor(id, elsewhere, none);
      const [otherRequest] = await requestsFor(id, none, none);
      await assertSame('owner', operation, [
        { scene: elsewhere, request },
        { scene: none, request: otherRequest },
      ]);
    });
  }
}

const points = Array.from({ length: 10 }, (_, i) => ({ timestamp: new Date(Date.UTC(2024, 0, 1 + i)), value: i }));

test('a workspace and a file that are named outside the path are as those that are not there, too', async () => {
  const { createForecast, listModels }: Record<string, Operation> = operations;
  const scene = await world.scene('owner');
  const none = { ...scene, ...missing(scene) };
  const inside = ({ workspace }: Scene, named: Named) => ({
    body: { workspace_id: workspace[named], source: { type: 'inline', points }, horizon: 3 },
  });
  const fromFile = ({ workspace, csv }: Scene, named: Named) => {
    const source = { type: 'workspace_csv', workspace_id: workspace[named], csv_id: csv };
    return { body: { source: { ...source, time_field: 'date', value_field: 'value' }, horizon: 3 } };
  };
  for (const named of NAMES) {
    const both = (request: (of: Scene, named: Named) => Request, ...scenes: readonly Scene[]) =>
      scenes.map((one) => ({ scene: one, request: request(one, named) }));
    for (const stranger of STRANGERS) {
      await assertSame(stranger, createForecast as Operation, both(inside, scene, none));
      await assertSame(stranger, createForecast as Operation, both(fromFile, scene, none));
      await assertSame(
        stranger,
        listModels as Operation,
        both(({ workspace }) => ({ query: `?workspace_id=${workspace[named]}` }), scene, none),
      );
    }
    for (const member of BOUNDED) {
      const own = await world.scene(member);
      const without = { ...own, ...missing({ csv: own.csv }) };
      await assertSame(member, createForecast as Operation, both(fromFile, own, without));
    }
  }
});

test('so are a forecast, a file and a workspace that a request about events names', async () => {
  const { createEvent, createEventsFromForecast, listEvents, readScoreboard }: Record<string, Operation> = operations;
  const scene = await world.scene('owner');
  const none = { ...scene, ...missing(scene) };
  const question = (fields: object) => ({ body: eventRequest(fields) });
  const observed_at = new Date(Date.now() + 5 * 86_400_000).toISOString();
  const byFile = ({ workspace, csv }: Scene, named: Named) => {
    const source = { type: 'workspace_csv', workspace_id: workspace[named], csv_id: csv };
    const columns = { time_field: 'date', value_field: 'value' };
    return question({
      resolution_rule: { type: 'threshold', op: 'gt', threshold: 1, observed_at, source: { ...source, ...columns } },
    });
  };
  const requests: readonly (readonly [Operation | undefined, (of: Scene, named: Named) => Request])[] = [
    [createEvent, ({ workspace }, named) => question({ workspace_id: workspace[named] })],
    [createEvent, byFile],
    [createEventsFromForecast, ({ forecast }, named) => ({ body: { forecast_id: forecast[named], thresholds: [1] } })],
    [listEvents, ({ workspace }, named) => ({ query: `?workspace_id=${workspace[named]}` })],
    [readScoreboard, ({ workspace }, named) => ({ query: `?workspace_id=${workspace[named]}` })],
  ];
  for (const named of NAMES) {
    for (const [operation, request] of requests) {
      const cases = [scene, none].map((one) => ({ scene: one, request: request(one, named) }));
      for (const stranger of STRANGERS) await assertSame(stranger, operation as Operation, cases);
    }
  }
});

test('lists hold what is the caller’s own', async () => {
  const { forecast, event, workspace } = await world.scene('owner');
  const { accountId } = await world.caller('owner');
  for (const stranger of STRANGERS) {
    await world.scene(stranger);
    const ask = askAs(service.app, (await world.caller(stranger)).credentials);
    for (const path of [
      FORECASTS,
      '/v1/forecasts',
      '/v1/workspaces',
      '/v1/me/access',
      '/v1/me/api-keys',
      '/v1/me/sessions',
    ]) {
      const { body } = await ask('GET', path);
      for (const theirs of [forecast.id, event.id, workspace.id, accountId ?? '']) {
        assert.ok(!body.includes(theirs), `${stranger} at ${path}`);
      }
    }
  }
  const ask = askAs(service.app, (await world.caller('owner')).credentials);
  assert.ok((await ask('GET', '/v1/workspaces')).body.includes(workspace.id));
});
