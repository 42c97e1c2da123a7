import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Operation,
  type OperationId,
  type Operations,
  operations,
  type Visibility,
} from '../../src/contract/index.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { type Answer, byMembership, DENIED, MISSING } from './answers.ts';
import { externalIssuer } from './external-issuer.ts';
import { type EachScope, MEMBERSHIP_CALLERS, type MembershipCaller } from './membership-callers.ts';
import { ID_FORMS, prepareRequest } from './prepare-request.ts';
import type { Row } from './row.ts';
import { ROWS } from './rows.ts';
import { openWorld, type World } from './world.ts';

/** The operations on one forecast or event. The table of all operations covers forecasts with the visibility workspace. */
type OnForecast = {
  [Id in OperationId]: Operations[Id]['path'] extends `${string}{forecast_id}${string}` ? Id : never;
}[OperationId];

type Answers = Readonly<Record<MembershipCaller, Answer>>;

const all = <Value>(value: Value): EachScope<Value> => [value, value, value, value, value];
const ROWS_DENIED = '403 SOURCE_DENIED';
const NOT_OWNED = '403 OWNERSHIP_REQUIRED';

/** Only the creator sees a private forecast: not the owner of the workspace, not an administrator. */
const HIDDEN = byMembership({
  owner: MISSING,
  editor: all(MISSING),
  viewer: all(MISSING),
  creator: DENIED,
  others: MISSING,
  guest: MISSING,
});

const toAll = (answer: Answer, guest: Answer = answer): Answers =>
  byMembership({ owner: answer, editor: all(answer), viewer: all(answer), others: answer, guest });

const NEEDS_ACCOUNT = '403 ACCOUNT_REQUIRED';

const HIDDEN_EVENT = { ...HIDDEN, 'another guest': NEEDS_ACCOUNT } as const;
const READING_EVENT = toAll(200, NEEDS_ACCOUNT);

const EXPECTED: Record<Exclude<Visibility, 'workspace'>, Record<OnForecast, Answers>> = {
  private: {
    readForecast: HIDDEN,
    watchForecast: HIDDEN,
    readForecastProof: HIDDEN,
    exportForecast: HIDDEN,
    readOutcome: HIDDEN,
    recordOutcome: HIDDEN,
    // The owner of the workspace pays for it and may cancel and delete it, by its id.
    cancelForecast: { ...HIDDEN, owner: 200 },
    // The table names it by its slug here. By its id: test/workspaces/consent.test.ts.
    deleteForecast: HIDDEN,
    reproduceForecast: HIDDEN,
    prepareSaveForecast: toAll(NOT_OWNED, MISSING),
    saveForecast: { ...HIDDEN, 'another guest': NEEDS_ACCOUNT },
    readEvent: HIDDEN_EVENT,
    listEventActions: HIDDEN_EVENT,
    listEventRevisions: HIDDEN_EVENT,
    readEventHistory: HIDDEN_EVENT,
    readEventProof: HIDDEN_EVENT,
    reviseEvent: HIDDEN_EVENT,
    resolveEvent: HIDDEN_EVENT,
    readEventResolution: HIDDEN_EVENT,
    updateForecast: HIDDEN,
    readForecastHistory: HIDDEN,
    listForecastActions: HIDDEN,
  },
  public: {
    readForecast: toAll(200),
    watchForecast: toAll(200),
    readForecastProof: toAll(200),
    exportForecast: toAll(200),
    // Its rows were sent with the request, and publishing the forecast does not publish them.
    readForecastHistory: byMembership({
      owner: 200,
      editor: [200, 200, ROWS_DENIED, ROWS_DENIED, ROWS_DENIED],
      viewer: [200, 200, ROWS_DENIED, ROWS_DENIED, ROWS_DENIED],
      creator: ROWS_DENIED,
      others: ROWS_DENIED,
      guest: ROWS_DENIED,
    }),
    readOutcome: toAll(200),
    // Every caller sees it, so each refusal states its reason.
    cancelForecast: byMembership({
      owner: 200,
      editor: [200, 200, DENIED, DENIED, DENIED],
      viewer: all(DENIED),
      creator: DENIED,
      others: NOT_OWNED,
      guest: NOT_OWNED,
    }),
    recordOutcome: byMembership({
      owner: 200,
      editor: [200, 200, DENIED, DENIED, DENIED],
      viewer: all(DENIED),
      creator: DENIED,
      others: NOT_OWNED,
      guest: NOT_OWNED,
    }),
    deleteForecast: byMembership({
      owner: 200,
      editor: [NOT_OWNED, NOT_OWNED, DENIED, DENIED, DENIED],
      viewer: all(DENIED),
      creator: DENIED,
      others: NOT_OWNED,
      guest: NOT_OWNED,
    }),
    reproduceForecast: toAll(202),
    prepareSaveForecast: toAll(NOT_OWNED),
    saveForecast: { ...toAll(NOT_OWNED, NEEDS_ACCOUNT), 'removed creator': DENIED },
    listEventActions: READING_EVENT,
    readEvent: READING_EVENT,
    listEventRevisions: READING_EVENT,
    readEventHistory: READING_EVENT,
    readEventProof: READING_EVENT,
    reviseEvent: byMembership({
      owner: 201,
      editor: [201, NOT_OWNED, NOT_OWNED, NOT_OWNED, NOT_OWNED],
      viewer: [DENIED, NOT_OWNED, NOT_OWNED, NOT_OWNED, NOT_OWNED],
      creator: DENIED,
      others: NOT_OWNED,
    }),
    resolveEvent: {
      ...toAll(NOT_OWNED, NEEDS_ACCOUNT),
      // An owner may resolve the events of the workspace.
      owner: 200,
      'removed creator': DENIED,
      'administrator of another workspace': 200,
    },
    readEventResolution: READING_EVENT,
    updateForecast: byMembership({
      owner: 200,
      editor: [200, 200, DENIED, DENIED, DENIED],
      viewer: all(DENIED),
      creator: DENIED,
      others: NOT_OWNED,
      guest: NOT_OWNED,
    }),
    listForecastActions: toAll(200),
  },
};

let service: ForecastService;
before(async () => {
  service = await openForecastService(testedKind);
});
after(async () => {
  await externalIssuer[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

for (const visibility of ['private', 'public'] as const) {
  describe(`a ${visibility} forecast of a workspace`, () => {
    let world: World;
    before(async () => {
      world = await openWorld(service, visibility);
    });

    for (const [position, [id, answers]] of Object.entries(EXPECTED[visibility]).entries()) {
      const operation: Operation = operations[id as OperationId];
      test(`${id} by every membership`, async () => {
        // Every second caller uses the slug. The two halves swap with each operation.
        const cells = (Object.keys(MEMBERSHIP_CALLERS) as MembershipCaller[]).map((name, index) => ({
          name,
          idForm: ID_FORMS[(index + position) % 2] ?? 'id',
        }));
        const actual: Record<string, Answer> = {};
        for (const { name, idForm } of cells) {
          const row: Row = ROWS[id as OperationId];
          const send = await prepareRequest({ service, world, operation, row, name, idForm });
          const answer = await send();
          actual[`${name} by ${idForm}`] = answer;
          if (row.consumes === 'scene' && answer === 200) await world.forgetScene(name);
        }
        const expected = cells.map(({ name, idForm }) => [`${name} by ${idForm}`, answers[name]]);
        assert.deepEqual(actual, Object.fromEntries(expected));
      });
    }
  });
}
