import type { OperationId } from '../../src/contract/index.ts';
import { createApiKey, type IdentityContext } from '../../src/identity/index.ts';
import { startSession } from '../../src/identity/sessions/browser-sessions.ts';
import { createFilter } from '../../src/screener/index.ts';
import { makeFeed } from '../support/feeds/make-feed.ts';
import { makeAccount, PASSWORD } from '../support/identity/callers.ts';
import { makeGrant } from '../support/identity/make-grant.ts';
import { FIXED_KEYS } from '../support/platform/fixed-keys.ts';
import { makeInvitation } from '../support/workspaces/invitations.ts';
import { makeWorkspace } from '../support/workspaces/workspaces.ts';
import {
  type Answers,
  accountsWith,
  anyone,
  guestsAndAccountsWith,
  MISSING,
  onlySessions,
  verifiedWith,
} from './answers.ts';
import type { Caller } from './callers.ts';
import type { Cell, Request, Row } from './row.ts';

const DATA_READERS = guestsAndAccountsWith('datasets:read', 200);
/** Feeds have two scopes, one for each kind. */
const FEED_KEEPERS: Answers = { ...accountsWith('datasets:read', 200), 'pro key with forecasts:read only': 200 };
/** The feed is of a kind that the scope forecasts:read does not allow. */
const DELETING_FEED: Answers = { ...FEED_KEEPERS, 'pro key with forecasts:read only': MISSING };

const CPI = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };

/** The free account has no verified address, so no invitation is for it. */
const ANSWERING: Answers = { ...accountsWith('workspaces:write', 200), 'free account by session': MISSING };

const FILTER = { name: 'Oversold', universe: 'all', all: [{ field: 'rsi_14', op: 'lt', value: 30 }] } as const;

/** The operations on accounts, keys, sessions, filters and data. */
export const ACCOUNT_ROWS = {
  readUsage: { answers: guestsAndAccountsWith('account:read', 200) },
  readAccess: { answers: accountsWith('account:read', 200) },

  changePassword: {
    answers: onlySessions(200),
    request: () => ({ body: { current_password: PASSWORD, new_password: 'another horse battery' } }),
    consumes: 'session',
  },
  exportAccount: { answers: onlySessions(200) },
  readErasure: { answers: onlySessions(200) },
  eraseAccount: {
    answers: onlySessions(200),
    request: () => ({ body: { current_password: PASSWORD } }),
    consumes: 'session',
  },
  requestVerification: {
    // Only the free account is unverified.
    answers: { ...accountsWith('account:read', '409 CONFLICT'), 'free account by session': 202 },
    consumes: 'session',
  },
  listSecurityEvents: { answers: accountsWith('account:read', 200) },

  listInvitations: { answers: accountsWith('workspaces:read', 200) },
  acceptInvitation: { answers: ANSWERING, request: ownInvitation },
  declineInvitation: { answers: ANSWERING, request: ownInvitation },

  listApiKeys: { answers: accountsWith('account:read', 200) },
  createApiKey: {
    answers: accountsWith('account:read', 201),
    request: () => ({ body: { name: 'created by a test' } }),
  },
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
  endSession: { answers: anyone(200), consumes: 'session' },
  listSessions: { answers: accountsWith('account:read', 200) },
  endOtherSessions: { answers: accountsWith('account:read', 200) },
  endSessionById: {
    answers: accountsWith('account:read', 200),
    request: async ({ identity, caller }) => ({ params: { session_id: await anotherSession(identity, caller) } }),
  },
  listApplications: { answers: accountsWith('account:read', 200) },
  revokeApplication: {
    answers: accountsWith('account:read', 200),
    request: async ({ identity, caller }) => ({ params: { application_id: await ownGrant(identity, caller) } }),
  },
  createGuestSession: { answers: anyone(201) },

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
  listScreenerSessions: { answers: verifiedWith('screener:read', 200), request: ownFilter },
  listScreenerFields: { answers: verifiedWith('screener:read', 200) },
  listScreenerMails: { answers: verifiedWith('screener:read', 200) },

  searchSeries: { answers: DATA_READERS, request: () => ({ body: { query: 'apple' } }) },
  previewSeries: { answers: DATA_READERS, request: () => ({ body: { sources: [CPI] } }) },
  describeSeries: { answers: DATA_READERS, request: () => ({ body: { source: CPI } }) },
  readObservations: { answers: DATA_READERS, request: () => ({ body: { source: CPI } }) },
  listMarketProviders: { answers: DATA_READERS },
  createFeed: {
    // A browser session of a free account may read the same data, but a feed is API access.
    answers: { ...accountsWith('datasets:read', 201), 'free account by session': '403 PLAN_REQUIRED' },
    request: () => ({ body: { kind: 'history', request: { symbol: 'AAPL', timeframe: '1D' } } }),
  },
  listFeeds: { answers: FEED_KEEPERS },
  deleteFeed: { answers: DELETING_FEED, request: ownFeed },
  // The token is the credential. Those of the caller do not matter.
  readFeed: { answers: anyone(200), request: foreignFeed },
  readStockHistory: { answers: DATA_READERS, request: () => ({ body: { symbol: 'AAPL', timeframe: '1D' } }) },
} satisfies Partial<Record<OperationId, Row>>;

/** Creates a filter of the caller, or of another account if the caller can have none. */
async function ownFilter({ identity, caller }: Cell): Promise<Request> {
  const accountId = caller.accountId ?? (await makeAccount(identity, { password: null })).id;
  const { id } = await createFilter({ ...identity, cursorKey: FIXED_KEYS }, accountId, {
    ...FILTER,
    email: false,
  });
  return { params: { alert_id: id } };
}

/** Stores a feed of the caller, or of another account if the caller can have none. */
async function ownFeed({ identity, caller }: Cell): Promise<Request> {
  const accountId = caller.accountId ?? (await makeAccount(identity, { password: null })).id;
  return { params: { feed: (await makeFeed(identity, accountId)).id } };
}

/** Returns a function that makes something once for each database: the files that use these rows run in one process. */
function oncePerDatabase<Made>(make: (identity: IdentityContext) => Promise<Made>) {
  const made = new WeakMap<object, Promise<Made>>();
  return (identity: IdentityContext): Promise<Made> => {
    const found = made.get(identity.database) ?? make(identity);
    made.set(identity.database, found);
    return found;
  };
}

const otherAccount = (identity: IdentityContext) => makeAccount(identity, { password: null });
const foreignFeedOf = oncePerDatabase(async (identity) => makeFeed(identity, (await otherAccount(identity)).id));
const invitingWorkspaceOf = oncePerDatabase(async (identity) =>
  makeWorkspace(identity.database, (await otherAccount(identity)).id),
);
const knownAccountOf = oncePerDatabase((identity) => makeAccount(identity));

/** Returns the token of another account's feed, because each read checks the plan of the owner. */
async function foreignFeed({ identity }: Cell): Promise<Request> {
  return { params: { feed: (await foreignFeedOf(identity)).token } };
}

/** Invites the caller's address, or another if the caller has no account. */
async function ownInvitation({ identity, caller }: Cell): Promise<Request> {
  const { database } = identity;
  const { id: workspaceId } = await invitingWorkspaceOf(identity);
  const account = await database
    .query<{ account: { id: string; email: string } }>()
    .selectFrom('account')
    .select('email')
    .where('id', '=', caller.accountId ?? '')
    .executeTakeFirst();
  const email = account?.email ?? `${workspaceId.toLowerCase()}@example.org`;
  return { params: { invitation_id: await makeInvitation(database, { workspaceId, email }) } };
}

/** Returns the address of an account that can sign in. */
async function knownAddress(identity: IdentityContext): Promise<string> {
  return (await knownAccountOf(identity)).email;
}

/** Gives an application access to the account of the caller, or to another if the caller has none. */
async function ownGrant(identity: IdentityContext, { accountId }: Caller): Promise<string> {
  return makeGrant(identity, accountId ?? (await makeAccount(identity, { password: null })).id);
}

/** Starts another session of the caller. */
async function anotherSession(identity: IdentityContext, { accountId }: Caller): Promise<string> {
  const account = { id: accountId ?? (await makeAccount(identity, { password: null })).id, email: '' };
  const now = identity.clock.now();
  const origin = { network: null, userAgent: null };
  await identity.database.transaction((tx) => startSession(tx, account, { now, origin, by: 'password' }));
  const { id } = await identity.database
    .query<{ browser_session: { id: string; account_id: string; created_at: Date } }>()
    .selectFrom('browser_session')
    .select('id')
    .where('account_id', '=', account.id)
    .where('created_at', '=', now)
    .executeTakeFirstOrThrow();
  return id;
}
