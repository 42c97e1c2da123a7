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
import { askCell, NAMES } from './ask-cell.ts';
import { externalIssuer } from './external-issuer.ts';
import { type EachScope, MEMBERSHIP_CALLERS, type MembershipCaller } from './membership-callers.ts';
import { ROWS } from './operations.ts';
import { openWorld, type World } from './world.ts';

/** The operations on one forecast, of an ensemble or of an event. The table of all operations has them for one that its workspace may see. */
type OnForecast = {
  [Id in OperationId]: Operations[Id]['path'] extends `${string}{forecast_id}${string}` ? Id : never;
}[OperationId];

type Answers = Readonly<Record<MembershipCaller, Answer>>;

const all = <Value>(value: Value): EachScope<Value> => [value, value, value, value, value];
const SOMEBODY_ELSES = '403 OWNERSHIP_REQUIRED';

/** Nobody but who made it sees a private one: not the owner of the workspace, not an administrator. */
const HIDDEN = byMembership({
  owner: MISSING,
  editor: all(MISSING),
  viewer: all(MISSING),
  maker: DENIED,
  others: MISSING,
  guest: MISSING,
});

const everybody = (answer: Answer, guest: Answer = answer): Answers =>
  byMembership({ owner: answer, editor: all(answer), viewer: all(answer), others: answer, guest });

const NEEDS_ACCOUNT = '403 ACCOUNT_REQUIRED';

const HIDDEN_EVENT = { ...HIDDEN, 'another guest': NEEDS_ACCOUNT } as const;
const READING_EVENT = everybody(200, NEEDS_ACCOUNT);

const EXPECTED: Record<Exclude<Visibility, 'workspace'>, Record<OnForecast, Answers>> = {
  private: {
    readForecast: HIDDEN,
    watchForecast: HIDDEN,
    readForecastProof: HIDDEN,
    exportForecast: HIDDEN,
    cancelForecast: HIDDEN,
    reproduceForecast: HIDDEN,
    prepareSaveForecast: everybody(SOMEBODY_ELSES, MISSING),
    saveForecast: { ...HIDDEN, 'another guest': NEEDS_ACCOUNT },
    readEvent: HIDDEN_EVENT,
    listEventRevisions: HIDDEN_EVENT,
    readEventHistory: HIDDEN_EVENT,
    reviseEvent: HIDDEN_EVENT,
    resolveEvent: HIDDEN_EVENT,
    readEventResolution: HIDDEN_EVENT,
  },
  public: {
    readForecast: everybody(200),
    watchForecast: everybody(200),
    readForecastProof: everybody(200),
    exportForecast: everybody(200),
    // All of them see it: each is told why not.
    cancelForecast: byMembership({
      owner: 200,
      editor: [200, 200, DENIED, DENIED, DENIED],
      viewer: all(DENIED),
      maker: DENIED,
      others: SOMEBODY_ELSES,
      guest: SOMEBODY_ELSES,
    }),
    reproduceForecast: everybody(202),
    prepareSaveForecast: everybody(SOMEBODY_ELSES),
    saveForecast: { ...everybody(SOMEBODY_ELSES, NEEDS_ACCOUNT), 'maker who was removed': DENIED },
    readEvent: READING_EVENT,
    listEventRevisions: READING_EVENT,
    readEventHistory: READING_EVENT,
    reviseEvent: byMembership({
      owner: 201,
      editor: [201, SOMEBODY_ELSES, SOMEBODY_ELSES, SOMEBODY_ELSES, SOMEBODY_ELSES],
      viewer: [DENIED, SOMEBODY_ELSES, SOMEBODY_ELSES, SOMEBODY_ELSES, SOMEBODY_ELSES],
      maker: DENIED,
      others: SOMEBODY_ELSES,
    }),
    resolveEvent: {
      ...everybody(SOMEBODY_ELSES, NEEDS_ACCOUNT),
      // Of what is in its workspace.
      owner: 200,
      'maker who was removed': DENIED,
      'administrator of another workspace': 200,
    },
    readEventResolution: READING_EVENT,
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

    for (const [id, answers] of Object.entries(EXPECTED[visibility])) {
      const operation: Operation = operations[id as OperationId];
      test(`${id} by every membership`, async () => {
        const cells = (Object.keys(MEMBERSHIP_CALLERS) as MembershipCaller[]).flatMap((name) =>
          NAMES.map((named) => ({ name, named })),
        );
        const actual: Record<string, Answer> = {};
        for (const { name, named } of cells) {
          const ask = await askCell({ service, world, operation, row: ROWS[id as OperationId], name, named });
          actual[`${name} by ${named}`] = await ask();
          // A guest has one slot.
          if (id === 'reproduceForecast') await world.forgetCaller(name);
          if (ROWS[id as OperationId].spends === 'scene') await world.forgetScene(name);
        }
        const expected = cells.map(({ name, named }) => [`${name} by ${named}`, answers[name]]);
        assert.deepEqual(actual, Object.fromEntries(expected));
      });
    }
  });
}
