import type { OperationId } from '../../src/contract/index.ts';
import { prepareRevisionProofs } from '../../src/scout/index.ts';
import { sealForecast } from '../support/forecasts/seal-forecast.ts';
import { markPending, markResolved, moveToFuture, NO_STAMPS } from '../support/scout/events.ts';
import { type Answers, accountsWith, byMembership, DENIED, guestsAndAccountsWith, MISSING } from './answers.ts';
import { all, listing, OF_MEMBERS, onEvent, onForecast, type Row } from './row.ts';

const DAYS = Array.from({ length: 10 }, (_, i) => ({
  timestamp: new Date(Date.UTC(2024, 0, 1 + i)).toISOString(),
  value: i,
}));

const READING_FORECAST: Row = {
  answers: {
    ...guestsAndAccountsWith('forecasts:read', 200),
    ...byMembership({
      owner: 200,
      editor: onForecast(200),
      viewer: onForecast(200),
      creator: DENIED,
      others: MISSING,
      guest: MISSING,
    }),
  },
};

/** A viewer may read the forecast but not change it. */
const changingForecast = (success: number): Answers => ({
  ...guestsAndAccountsWith('forecasts:write', success),
  ...byMembership({
    owner: success,
    editor: onForecast(success),
    viewer: onForecast(DENIED),
    creator: DENIED,
    others: MISSING,
    guest: MISSING,
  }),
});

const NOT_OWNED = '403 OWNERSHIP_REQUIRED';

/** In the owner's scene a member created the forecast; in those of other members, the owner did. */
const DELETING_FORECAST: Answers = {
  ...guestsAndAccountsWith('forecasts:write', 200),
  ...byMembership({
    owner: 200,
    editor: onForecast(NOT_OWNED),
    viewer: onForecast(DENIED),
    creator: DENIED,
    others: MISSING,
    guest: MISSING,
  }),
};

const READING_EVENT: Answers = {
  ...accountsWith('events:read', 200),
  ...byMembership({ owner: 200, editor: onEvent(200), viewer: onEvent(200), creator: DENIED, others: MISSING }),
};

const QUESTION = {
  category: 'earnings',
  entity: { type: 'company', name: 'Acme' },
  question: 'Will Acme beat the consensus of the third quarter?',
  possible_future_headline: 'Acme beats the consensus',
  probability: 0.6,
  input_cutoff_at: '2024-01-31T00:00:00Z',
  resolution_deadline: new Date(Date.now() + 30 * 86_400_000).toISOString(),
};

/** Creating an event in a workspace requires the scope of everything. */
const CREATING_EVENT: Answers = {
  ...accountsWith('events:write', 201),
  ...byMembership({ owner: 201, editor: [201, DENIED, DENIED, DENIED, DENIED], viewer: all(DENIED), others: DENIED }),
};

/** The operations on forecasts, events and models. */
export const FORECAST_ROWS = {
  createForecast: {
    answers: {
      ...guestsAndAccountsWith('forecasts:write', 202),
      ...byMembership({ owner: 202, editor: listing(202), viewer: all(DENIED), others: DENIED, guest: DENIED }),
    },
    request: ({ workspace }) => ({
      body: { source: { type: 'inline', points: DAYS }, horizon: 3, ...(workspace && { workspace_id: workspace }) },
    }),
    usesBothForms: true,
    consumes: 'slot',
  },
  estimateForecast: {
    answers: {
      ...guestsAndAccountsWith('forecasts:write', 200),
      ...byMembership({ owner: 200, editor: listing(200), viewer: all(DENIED), others: DENIED, guest: DENIED }),
    },
    request: ({ workspace }) => ({
      body: { source: { type: 'inline', points: DAYS }, horizon: 3, ...(workspace && { workspace_id: workspace }) },
    }),
    usesBothForms: true,
  },
  listForecasts: { answers: guestsAndAccountsWith('forecasts:read', 200) },
  listWorkspaceForecasts: {
    answers: {
      ...accountsWith('forecasts:read', 200),
      ...byMembership({ owner: 200, editor: listing(200), viewer: listing(200), others: DENIED }),
    },
  },
  // Forecasts that the caller may not read are left out.
  previewForecasts: {
    answers: guestsAndAccountsWith('forecasts:read', 200),
    request: ({ scene }) => ({ query: `?ids=${scene.forecast.id}` }),
  },
  readForecast: READING_FORECAST,
  watchForecast: READING_FORECAST,
  readForecastProof: {
    ...READING_FORECAST,
    request: async ({ identity, scene }) => {
      await sealForecast(identity.database, scene.forecast.id);
      return {};
    },
  },
  exportForecast: READING_FORECAST,
  readForecastHistory: READING_FORECAST,
  listForecastActions: READING_FORECAST,
  readOutcome: READING_FORECAST,
  recordOutcome: {
    answers: changingForecast(200),
    request: () => ({ body: { points: [{ timestamp: '2024-02-10', value: 118 }] } }),
  },
  cancelForecast: { answers: changingForecast(200) },
  updateForecast: { answers: changingForecast(200), request: () => ({ body: { title: 'Renamed' } }) },
  deleteForecast: { answers: DELETING_FORECAST, consumes: 'scene' },
  reproduceForecast: { answers: changingForecast(202), consumes: 'slot' },
  prepareSaveForecast: {
    answers: { ...accountsWith('forecasts:write', NOT_OWNED), guest: 200, 'another guest': MISSING },
  },
  saveForecast: {
    answers: {
      ...accountsWith('forecasts:write', 200),
      ...byMembership({
        owner: NOT_OWNED,
        editor: onForecast(NOT_OWNED),
        viewer: onForecast(NOT_OWNED),
        creator: DENIED,
        others: MISSING,
      }),
    },
  },
  readTrackRecord: {
    answers: {
      ...accountsWith('forecasts:read', 200),
      ...byMembership({ owner: 200, editor: listing(200), viewer: listing(200), others: DENIED }),
    },
    request: ({ workspace }) => ({ query: workspace ? `?workspace_id=${workspace}` : '' }),
    usesBothForms: true,
  },
  listEvents: {
    answers: {
      ...accountsWith('events:read', 200),
      ...byMembership({
        owner: 200,
        editor: [200, DENIED, DENIED, DENIED, DENIED],
        viewer: [200, DENIED, DENIED, DENIED, DENIED],
        others: DENIED,
      }),
    },
    request: ({ workspace }) => ({ query: workspace ? `?workspace_id=${workspace}` : '' }),
    usesBothForms: true,
  },
  readScoreboard: {
    answers: {
      ...accountsWith('events:read', 200),
      ...byMembership({
        owner: 200,
        editor: [200, DENIED, DENIED, DENIED, DENIED],
        viewer: [200, DENIED, DENIED, DENIED, DENIED],
        others: DENIED,
      }),
    },
    request: ({ workspace }) => ({ query: workspace ? `?workspace_id=${workspace}` : '' }),
    usesBothForms: true,
  },
  createEvent: {
    answers: CREATING_EVENT,
    request: ({ workspace }) => ({ body: { ...QUESTION, ...(workspace && { workspace_id: workspace }) } }),
    usesBothForms: true,
  },
  createEventsFromForecast: {
    answers: {
      ...CREATING_EVENT,
      // Reading the forecast requires another scope.
      'pro key with events:write only': '403 SCOPE_DENIED',
      ...byMembership({
        owner: 201,
        editor: [201, DENIED, MISSING, MISSING, MISSING],
        viewer: [DENIED, DENIED, MISSING, MISSING, MISSING],
        creator: DENIED,
        others: MISSING,
      }),
    },
    request: async ({ identity, scene, workspace }) => {
      await moveToFuture(identity.database, scene.forecast.id);
      const body = { forecast_id: scene.forecast.id, thresholds: [120] };
      return { body: { ...body, ...(workspace && { workspace_id: workspace }) } };
    },
    usesBothForms: true,
  },
  previewEventsFromForecast: {
    answers: {
      ...accountsWith('events:write', 200),
      'pro key with events:write only': '403 SCOPE_DENIED',
      ...byMembership({
        owner: 200,
        editor: [200, DENIED, MISSING, MISSING, MISSING],
        viewer: [DENIED, DENIED, MISSING, MISSING, MISSING],
        creator: DENIED,
        others: MISSING,
      }),
    },
    request: async ({ identity, scene, workspace }) => {
      await moveToFuture(identity.database, scene.forecast.id);
      const body = { forecast_id: scene.forecast.id, thresholds: [120] };
      return { body: { ...body, ...(workspace && { workspace_id: workspace }) } };
    },
    usesBothForms: true,
  },
  readEvent: { answers: READING_EVENT },
  listEventActions: { answers: READING_EVENT },
  listEventRevisions: { answers: READING_EVENT },
  readEventHistory: { answers: READING_EVENT },
  readEventProof: {
    answers: READING_EVENT,
    request: async ({ identity, scene }) => {
      const { database, clock } = identity;
      await prepareRevisionProofs({ database, clock, stamps: NO_STAMPS }, { eventIds: [scene.event.id] });
      return {};
    },
  },
  readEventResolution: {
    answers: READING_EVENT,
    request: async ({ identity, scene }) => {
      await markResolved(identity.database, scene.event.id);
      return {};
    },
  },
  reviseEvent: {
    answers: {
      ...accountsWith('events:write', 201),
      ...byMembership({ owner: 201, editor: onEvent(201), viewer: onEvent(DENIED), creator: DENIED, others: MISSING }),
    },
    request: async ({ identity, scene }) => {
      await markPending(identity.database, scene.event.id);
      return { body: { probability: 0.7, input_cutoff_at: '2024-02-01T00:00:00Z' } };
    },
  },
  resolveEvent: {
    answers: {
      ...accountsWith('events:write', 200),
      ...byMembership({
        owner: 200,
        editor: onEvent(NOT_OWNED),
        viewer: onEvent(NOT_OWNED),
        creator: DENIED,
        others: MISSING,
      }),
    },
    request: async ({ identity, scene }) => {
      await markPending(identity.database, scene.event.id);
      return { body: { outcome: 'yes', actual_outcome: 'It did.', resolution_source: 'The report' } };
    },
  },
  listModels: {
    answers: { ...guestsAndAccountsWith('forecasts:read', 200), ...OF_MEMBERS, 'another guest': DENIED },
    request: ({ workspace }) => ({ query: workspace ? `?workspace_id=${workspace}` : '' }),
    usesBothForms: true,
  },
} satisfies Partial<Record<OperationId, Row>>;
