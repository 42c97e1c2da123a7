import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/contract/index.ts';
import { createApiKey, type IdentityContext } from '../../src/identity/index.ts';
import { startSession } from '../../src/identity/sessions/browser-sessions.ts';
import { createFilter } from '../../src/screener/index.ts';
import { makeAccount, PASSWORD } from '../support/identity/callers.ts';
import { markPending, markResolved, moveToFuture } from '../support/scout/events.ts';
import { DAILY_CSV } from '../support/workspaces/csv-files.ts';
import {
  type Answers,
  accountsWith,
  anyone,
  byMembership,
  DENIED,
  guestsAndAccountsWith,
  MISSING,
  onlyPersons,
  verifiedWith,
} from './answers.ts';
import type { Caller } from './callers.ts';
import type { EachScope } from './membership-callers.ts';
import type { Scene } from './world.ts';

export interface Row {
  readonly answers: Answers;
  /** What to ask with beside the things of the scene, so that nothing but the caller can be a reason for a refusal. */
  readonly request?: (cell: Cell) => Request | Promise<Request>;
  /** Whether it is asked by id and by slug, though its path names neither a workspace nor a forecast. */
  readonly naming?: true;
  /** What is of no more use after it: the caller, if it asked for itself, or the things that it was about. */
  readonly spends?: 'caller' | 'scene';
}

/** One caller before one operation. */
export interface Cell {
  readonly identity: IdentityContext;
  readonly caller: Caller;
  readonly scene: Scene;
  /** The id or slug of the workspace for a membership caller; null for others, whose requests do not name one. */
  readonly workspace: string | null;
}

export interface Request {
  /** Beside those of the scene. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
  /** Sent instead of a body. */
  readonly file?: string;
}

const DATA_READERS = guestsAndAccountsWith('datasets:read', 200);
const CPI = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };

const FILTER = { name: 'Oversold', universe: 'all', all: [{ field: 'rsi_14', op: 'lt', value: 30 }] } as const;

const DAYS = Array.from({ length: 10 }, (_, i) => ({
  timestamp: new Date(Date.UTC(2024, 0, 1 + i)).toISOString(),
  value: i,
}));

const all = <Value>(value: Value): EachScope<Value> => [value, value, value, value, value];
/** Answers of list operations to the scopes everything, the resource, another resource, an empty list and nothing. */
const listing = (answer: number): EachScope<number | typeof DENIED> => [answer, answer, answer, DENIED, DENIED];
/** The same about one file. */
const onFile = (answer: number): EachScope<number | typeof DENIED | typeof MISSING> => [
  answer,
  answer,
  MISSING,
  DENIED,
  DENIED,
];
/** The same about one forecast, which is named without its workspace. */
const onForecast = <Answer>(answer: Answer): EachScope<Answer | typeof MISSING> => [
  answer,
  answer,
  MISSING,
  MISSING,
  MISSING,
];

/** For every member. */
const OF_MEMBERS = byMembership({ owner: 200, editor: all(200), viewer: all(200), others: DENIED });
const ofOwner = (success: number) =>
  byMembership({ owner: success, editor: all(DENIED), viewer: all(DENIED), others: DENIED });

const READING_WORKSPACE: Answers = { ...accountsWith('workspaces:read', 200), ...OF_MEMBERS };
const changingWorkspace = (success: number): Answers => ({
  ...accountsWith('workspaces:write', success),
  ...ofOwner(success),
});

const READING_FILE: Answers = {
  ...accountsWith('workspaces:read', 200),
  ...byMembership({ owner: 200, editor: onFile(200), viewer: onFile(200), others: DENIED }),
};

const READING_FORECAST: Row = {
  answers: {
    ...guestsAndAccountsWith('forecasts:read', 200),
    ...byMembership({
      owner: 200,
      editor: onForecast(200),
      viewer: onForecast(200),
      maker: DENIED,
      others: MISSING,
      guest: MISSING,
    }),
  },
};

/** A viewer sees the forecast, and that it is not to be changed. */
const changingForecast = (success: number): Answers => ({
  ...guestsAndAccountsWith('forecasts:write', success),
  ...byMembership({
    owner: success,
    editor: onForecast(success),
    viewer: onForecast(DENIED),
    maker: DENIED,
    others: MISSING,
    guest: MISSING,
  }),
});

const SOMEBODY_ELSES = '403 OWNERSHIP_REQUIRED';

/** A scope of everything, or no event at all: no scope lists events. */
const onEvent = <Answer>(answer: Answer): EachScope<Answer | typeof MISSING> => [
  answer,
  MISSING,
  MISSING,
  MISSING,
  MISSING,
];

const READING_EVENT: Answers = {
  ...accountsWith('events:read', 200),
  ...byMembership({ owner: 200, editor: onEvent(200), viewer: onEvent(200), maker: DENIED, others: MISSING }),
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

/** Of things that are to be made in the workspace, which takes a scope of everything. */
const CREATING_EVENT: Answers = {
  ...accountsWith('events:write', 201),
  ...byMembership({ owner: 201, editor: [201, DENIED, DENIED, DENIED, DENIED], viewer: all(DENIED), others: DENIED }),
};

/** Every operation as every caller. A new operation without a row here does not compile. */
export const ROWS: Record<OperationId, Row> = {
  readAccess: { answers: accountsWith('account:read', 200) },

  changePassword: {
    answers: onlyPersons(200),
    request: () => ({ body: { current_password: PASSWORD, new_password: 'another horse battery' } }),
    spends: 'caller',
  },
  requestVerification: {
    // All of them are verified but the free account.
    answers: { ...accountsWith('account:read', '409 CONFLICT'), 'free account by session': 202 },
    spends: 'caller',
  },
  listSecurityEvents: { answers: accountsWith('account:read', 200) },

  listApiKeys: { answers: accountsWith('account:read', 200) },
  createApiKey: { answers: accountsWith('account:read', 201), request: () => ({ body: { name: 'made in a test' } }) },
  revokeApiKey: {
    answers: accountsWith('account:read', 200),
    request: async ({ identity, caller }) => {
      const accountId = caller.accountId ?? (await makeAccount(identity, { password: null })).id;
      const { id } = await createApiKey(identity, { accountId, name: 'to revoke', scopes: ['account:read'] });
      return { params: { key_id: id } };
    },
  },

  createSession: {
    answers: anyone(201),
    request: async ({ identity }) => ({ body: { email: await knownAddress(identity), password: PASSWORD } }),
  },
  endSession: { answers: anyone(200), spends: 'caller' },
  listSessions: { answers: accountsWith('account:read', 200) },
  endOtherSessions: { answers: accountsWith('account:read', 200), spends: 'caller' },
  endSessionById: {
    answers: accountsWith('account:read', 200),
    request: async ({ identity, caller }) => ({ params: { session_id: await anotherSession(identity, caller) } }),
  },
  createGuestSession: { answers: anyone(201) },

  createForecast: {
    answers: {
      ...guestsAndAccountsWith('forecasts:write', 202),
      ...byMembership({ owner: 202, editor: listing(202), viewer: all(DENIED), others: DENIED, guest: DENIED }),
    },
    request: ({ workspace }) => ({
      body: { source: { type: 'inline', points: DAYS }, horizon: 3, ...(workspace && { workspace_id: workspace }) },
    }),
    naming: true,
    spends: 'caller',
  },
  listForecasts: { answers: guestsAndAccountsWith('forecasts:read', 200) },
  listWorkspaceForecasts: {
    answers: {
      ...accountsWith('forecasts:read', 200),
      ...byMembership({ owner: 200, editor: listing(200), viewer: listing(200), others: DENIED }),
    },
  },
  readForecast: READING_FORECAST,
  watchForecast: READING_FORECAST,
  readForecastProof: READING_FORECAST,
  exportForecast: READING_FORECAST,
  cancelForecast: { answers: changingForecast(200) },
  reproduceForecast: { answers: changingForecast(202), spends: 'caller' },
  prepareSaveForecast: {
    answers: { ...accountsWith('forecasts:write', SOMEBODY_ELSES), guest: 200, 'another guest': MISSING },
  },
  saveForecast: {
    answers: {
      ...accountsWith('forecasts:write', 200),
      ...byMembership({
        owner: SOMEBODY_ELSES,
        editor: onForecast(SOMEBODY_ELSES),
        viewer: onForecast(SOMEBODY_ELSES),
        maker: DENIED,
        others: MISSING,
      }),
    },
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
    naming: true,
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
    naming: true,
  },
  createEvent: {
    answers: CREATING_EVENT,
    request: ({ workspace }) => ({ body: { ...QUESTION, ...(workspace && { workspace_id: workspace }) } }),
    naming: true,
  },
  createEventsFromForecast: {
    answers: {
      ...CREATING_EVENT,
      // Reading the forecast takes another scope.
      'pro key with events:write only': '403 SCOPE_DENIED',
      ...byMembership({
        owner: 201,
        editor: [201, DENIED, MISSING, MISSING, MISSING],
        viewer: [DENIED, DENIED, MISSING, MISSING, MISSING],
        maker: DENIED,
        others: MISSING,
      }),
    },
    request: async ({ identity, scene, workspace }) => {
      await moveToFuture(identity.database, scene.forecast.id);
      const body = { forecast_id: scene.forecast.id, thresholds: [120] };
      return { body: { ...body, ...(workspace && { workspace_id: workspace }) } };
    },
    naming: true,
  },
  readEvent: { answers: READING_EVENT },
  listEventRevisions: { answers: READING_EVENT },
  readEventHistory: { answers: READING_EVENT },
  readEventResolution: {
    answers: READING_EVENT,
    request: async ({ identity, scene }) => {
      await markResolved(identity.database, scene.event.id);
      return {};
    },
    spends: 'scene',
  },
  reviseEvent: {
    answers: {
      ...accountsWith('events:write', 201),
      ...byMembership({ owner: 201, editor: onEvent(201), viewer: onEvent(DENIED), maker: DENIED, others: MISSING }),
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
        editor: onEvent(SOMEBODY_ELSES),
        viewer: onEvent(SOMEBODY_ELSES),
        maker: DENIED,
        others: MISSING,
      }),
    },
    request: async ({ identity, scene }) => {
      await markPending(identity.database, scene.event.id);
      return { body: { outcome: 'yes', actual_outcome: 'It did.', resolution_source: 'The report' } };
    },
    spends: 'scene',
  },
  listModels: {
    answers: { ...guestsAndAccountsWith('forecasts:read', 200), ...OF_MEMBERS, 'another guest': DENIED },
    request: ({ workspace }) => ({ query: workspace ? `?workspace_id=${workspace}` : '' }),
    naming: true,
  },

  listWorkspaces: { answers: accountsWith('workspaces:read', 200) },
  createWorkspace: {
    answers: accountsWith('workspaces:write', 201),
    request: () => ({ body: { name: 'Made in a test' } }),
  },
  readWorkspace: { answers: READING_WORKSPACE },
  renameWorkspace: { answers: changingWorkspace(200), request: () => ({ body: { name: 'Another name' } }) },
  deleteWorkspace: { answers: changingWorkspace(200), spends: 'scene' },
  transferWorkspace: {
    answers: changingWorkspace(200),
    request: ({ scene }) => ({ body: { collaborator_id: scene.collaborator } }),
    spends: 'scene',
  },
  listCollaborators: { answers: READING_WORKSPACE },
  addCollaborator: {
    answers: changingWorkspace(201),
    request: () => ({ body: { email: `${randomUUID()}@example.org`, role: 'viewer' } }),
  },
  updateCollaborator: { answers: changingWorkspace(200), request: () => ({ body: { role: 'editor' } }) },
  removeCollaborator: { answers: changingWorkspace(200), spends: 'scene' },

  listCsvFiles: {
    answers: {
      ...accountsWith('workspaces:read', 200),
      ...byMembership({ owner: 200, editor: listing(200), viewer: listing(200), others: DENIED }),
    },
  },
  uploadCsvFile: {
    answers: {
      ...accountsWith('workspaces:write', 201),
      ...byMembership({ owner: 201, editor: listing(201), viewer: all(DENIED), others: DENIED }),
    },
    request: () => ({ query: '?name=daily.csv', file: DAILY_CSV }),
  },
  readCsvFile: { answers: READING_FILE },
  downloadCsvFile: { answers: READING_FILE },
  deleteCsvFile: {
    answers: {
      ...accountsWith('workspaces:write', 200),
      ...byMembership({ owner: 200, editor: onFile(200), viewer: all(DENIED), others: DENIED }),
    },
    spends: 'scene',
  },

  listScreenerAlerts: { answers: verifiedWith('screener:read', 200) },
  createScreenerAlert: { answers: verifiedWith('screener:write', 201), request: () => ({ body: FILTER }) },
  readScreenerAlert: { answers: verifiedWith('screener:read', 200), request: ownFilter },
  updateScreenerAlert: {
    answers: verifiedWith('screener:write', 200),
    request: async (cell) => ({ ...(await ownFilter(cell)), body: { email: true } }),
  },
  deleteScreenerAlert: { answers: verifiedWith('screener:write', 200), request: ownFilter },
  previewScreenerAlert: {
    answers: verifiedWith('screener:read', 200),
    request: () => ({ body: { universe: FILTER.universe, all: FILTER.all } }),
  },
  listScreenerMatches: { answers: verifiedWith('screener:read', 200), request: ownFilter },
  listScreenerMails: { answers: verifiedWith('screener:read', 200) },

  searchSeries: { answers: DATA_READERS, request: () => ({ body: { query: 'apple' } }) },
  describeSeries: { answers: DATA_READERS, request: () => ({ body: { source: CPI } }) },
  readObservations: { answers: DATA_READERS, request: () => ({ body: { source: CPI } }) },
  readStockHistory: { answers: DATA_READERS, request: () => ({ body: { symbol: 'AAPL', timeframe: '1D' } }) },
};

/** Of the caller's own; of somebody's where it can have none. */
async function ownFilter({ identity, caller }: Cell): Promise<Request> {
  const accountId = caller.accountId ?? (await makeAccount(identity, { password: null })).id;
  const { id } = await createFilter({ ...identity, cursorKey: async () => Buffer.alloc(32) }, accountId, {
    ...FILTER,
    email: false,
  });
  return { params: { alert_id: id } };
}

let known: Promise<{ email: string }> | undefined;

/** Of somebody who can sign in. */
async function knownAddress(identity: IdentityContext): Promise<string> {
  known ??= makeAccount(identity);
  return (await known).email;
}

/** Of a browser beside that of the caller. */
async function anotherSession(identity: IdentityContext, { accountId }: Caller): Promise<string> {
  const user = { id: accountId ?? (await makeAccount(identity, { password: null })).id, email: '' };
  const now = identity.clock.now();
  const origin = { network: null, userAgent: null };
  await identity.database.transaction((tx) => startSession(tx, user, { now, origin, by: 'password' }));
  const { id } = await identity.database
    .query<{ browser_session: { id: string; account_id: string; created_at: Date } }>()
    .selectFrom('browser_session')
    .select('id')
    .where('account_id', '=', user.id)
    .where('created_at', '=', now)
    .executeTakeFirstOrThrow();
  return id;
}
