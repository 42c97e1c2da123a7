import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action, Scope } from '../contract/index.ts';
import type { Membership, ResourceScope } from './membership.ts';
import { type Decision, decide, decideCaller, type WorkspaceResource } from './policy.ts';
import type { Account, Principal } from './principal.ts';

// The oracle: the design as tables, written by hand and independent of the code under test.

/**
 * The scope that each action requires, or those of which it requires one; null: the action precedes or ends a sign-in, or
 * its path has the credential, and every caller may take it.
 */
const SCOPE_OF: Record<Action, Scope | readonly Scope[] | null> = {
  'access.read': 'account:read',
  'usage.read': 'account:read',
  'keys.read': 'account:read',
  'keys.write': 'account:read',
  'session.create': null,
  'session.end': null,
  'sessions.manage': 'account:read',
  'applications.manage': 'account:read',
  'password.change': 'account:read',
  'account.export': 'account:read',
  'account.erase': 'account:read',
  'verification.request': 'account:read',
  'security_events.read': 'account:read',
  'guest.create': null,
  'administration.read': 'account:read',
  'administration.change': 'account:read',
  'invitations.read': 'workspaces:read',
  'invitations.answer': 'workspaces:write',
  'datasets.read': 'datasets:read',
  'feeds.list': ['datasets:read', 'forecasts:read'],
  'feeds.change': ['datasets:read', 'forecasts:read'],
  'feed.read': null,
  'models.read': 'forecasts:read',
  'workspace.list': 'workspaces:read',
  'workspace.create': 'workspaces:write',
  'workspace.read': 'workspaces:read',
  'workspace.update': 'workspaces:write',
  'workspace.delete': 'workspaces:write',
  'workspace.transfer': 'workspaces:write',
  'workspace.read_transfer': 'workspaces:read',
  'workspace.read_contents': 'workspaces:read',
  'members.read': 'workspaces:read',
  'members.manage': 'workspaces:write',
  'members.leave': 'workspaces:write',
  'csv.list': 'workspaces:read',
  'csv.read': 'workspaces:read',
  'csv.download': 'workspaces:read',
  'csv.write': 'workspaces:write',
  'forecast.list': 'forecasts:read',
  'forecast.list_shared': 'forecasts:read',
  'forecast.read': 'forecasts:read',
  'forecast.create': 'forecasts:write',
  'forecast.update': 'forecasts:write',
  'forecast.cancel': 'forecasts:write',
  'track_record.read': 'forecasts:read',
  'forecast.delete': 'forecasts:write',
  'forecast.reproduce': 'forecasts:write',
  'forecast.prepare_save': 'forecasts:write',
  'forecast.save': 'forecasts:write',
  'event.list': 'events:read',
  'event.read': 'events:read',
  'event.create': 'events:write',
  'event.revise': 'events:write',
  'event.resolve': 'events:write',
  'scoreboard.read': 'events:read',
  'screener.read': 'screener:read',
  'screener.write': 'screener:write',
  'webhooks.read': 'webhooks:read',
  'webhooks.write': 'webhooks:write',
  'workspace_webhooks.read': 'webhooks:read',
  'workspace_webhooks.write': 'webhooks:write',
  'notifications.read': 'account:read',
  'notifications.change': 'forecasts:write',
};

/** The actions of guests: read their usage, search, download, forecast for themselves, prepare to save, but never save. */
const GUEST_ACTIONS: readonly Action[] = [
  'usage.read',
  'datasets.read',
  'models.read',
  'forecast.list',
  'forecast.read',
  'forecast.create',
  'forecast.update',
  'forecast.cancel',
  'forecast.delete',
  'forecast.reproduce',
  'forecast.prepare_save',
];

/** The actions that require a browser session, whatever the scopes of a key. */
const SESSION_ACTIONS: readonly Action[] = [
  'password.change',
  'account.export',
  'account.erase',
  'administration.change',
];

/** The actions of administrators with a verified address. */
const ADMINISTRATOR_ACTIONS: readonly Action[] = ['administration.read', 'administration.change'];

/** The actions that require a verified email address, whatever the role. */
const VERIFIED_ACTIONS: readonly Action[] = [
  'screener.read',
  'screener.write',
  'notifications.change',
  ...ADMINISTRATOR_ACTIONS,
];

type Part = 'workspace' | 'csv' | 'forecasts';

/** The workspace permissions: the roles that have each, and the part of the resource scope that restricts it. */
const PERMISSION: Partial<Record<Action, { readonly roles: readonly string[]; readonly part: Part }>> = {
  'workspace.read': { roles: ['owner', 'editor', 'viewer'], part: 'workspace' },
  'workspace.update': { roles: ['owner'], part: 'workspace' },
  'workspace.delete': { roles: ['owner'], part: 'workspace' },
  'workspace.transfer': { roles: ['owner'], part: 'workspace' },
  'workspace.read_transfer': { roles: ['owner'], part: 'workspace' },
  'workspace.read_contents': { roles: ['owner'], part: 'workspace' },
  'members.read': { roles: ['owner', 'editor', 'viewer'], part: 'workspace' },
  'members.manage': { roles: ['owner'], part: 'workspace' },
  'members.leave': { roles: ['owner', 'editor', 'viewer'], part: 'workspace' },
  'csv.list': { roles: ['owner', 'editor', 'viewer'], part: 'csv' },
  'csv.read': { roles: ['owner', 'editor', 'viewer'], part: 'csv' },
  'csv.download': { roles: ['owner', 'editor', 'viewer'], part: 'csv' },
  'csv.write': { roles: ['owner', 'editor'], part: 'csv' },
  'forecast.list': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'forecast.list_shared': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'forecast.read': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'forecast.create': { roles: ['owner', 'editor'], part: 'forecasts' },
  'forecast.update': { roles: ['owner', 'editor'], part: 'forecasts' },
  'forecast.cancel': { roles: ['owner', 'editor'], part: 'forecasts' },
  'track_record.read': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'forecast.delete': { roles: ['owner', 'editor'], part: 'forecasts' },
  'forecast.reproduce': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'forecast.save': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'event.list': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'event.read': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'event.create': { roles: ['owner', 'editor'], part: 'forecasts' },
  'event.revise': { roles: ['owner', 'editor'], part: 'forecasts' },
  'event.resolve': { roles: ['owner', 'editor'], part: 'forecasts' },
  'scoreboard.read': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'workspace_webhooks.read': { roles: ['owner'], part: 'workspace' },
  'workspace_webhooks.write': { roles: ['owner'], part: 'workspace' },
};

const LISTED = 'thing_listed';
const UNLISTED = 'thing_unlisted';

/** Every state of a resource scope, with what it allows: any resource, the listed one, the unlisted one. */
const RESOURCE_SCOPES: readonly (ResourceScope & { readonly any: boolean; listed: boolean; unlisted: boolean })[] = [
  { mode: 'all', ids: [], any: true, listed: true, unlisted: true },
  { mode: 'all', ids: [LISTED], any: true, listed: true, unlisted: true },
  { mode: 'selected', ids: [LISTED], any: true, listed: true, unlisted: false },
  { mode: 'selected', ids: [], any: false, listed: false, unlisted: false },
  { mode: 'none', ids: [], any: false, listed: false, unlisted: false },
  { mode: 'none', ids: [LISTED], any: false, listed: false, unlisted: false },
];

const ALL_SCOPES: readonly Scope[] = [
  'account:read',
  'datasets:read',
  'forecasts:read',
  'forecasts:write',
  'workspaces:read',
  'workspaces:write',
  'screener:read',
  'screener:write',
  'events:read',
  'events:write',
  'webhooks:read',
  'webhooks:write',
];

interface CallerCase {
  readonly principal: Principal;
  readonly expected: (action: Action) => string;
}

interface ResourceCase {
  readonly resource: WorkspaceResource | undefined;
  readonly expected: (action: Action) => boolean;
}

function callerCases(): CallerCase[] {
  const isOpen = (action: Action) => SCOPE_OF[action] === null;
  const cases: CallerCase[] = [
    { principal: { kind: 'anonymous' }, expected: (action) => (isOpen(action) ? 'allowed' : 'UNAUTHENTICATED') },
    {
      principal: { kind: 'guest', guestId: 'gst_1' },
      expected: (action) => (isOpen(action) || GUEST_ACTIONS.includes(action) ? 'allowed' : 'ACCOUNT_REQUIRED'),
    },
  ];
  const yesNo = [true, false];
  for (const credential of ['key', 'oauth', 'session', 'feed'] as const)
    for (const plan of ['free', 'pro', 'enterprise'] as const)
      for (const administrator of yesNo)
        for (const emailVerified of yesNo)
          for (const scopes of [ALL_SCOPES, [], ...ALL_SCOPES.map((scope) => [scope])]) {
            const principal = account({ credential, plan, administrator, emailVerified, scopes });
            const entitled = credential === 'session' || plan !== 'free' || (administrator && emailVerified);
            const expected = (action: Action) => {
              const scope = SCOPE_OF[action];
              if (scope === null) return 'allowed';
              if (SESSION_ACTIONS.includes(action) && credential !== 'session') return 'SESSION_REQUIRED';
              if (!entitled) return 'PLAN_REQUIRED';
              const accepted: readonly Scope[] = [scope].flat();
              if (!accepted.some((one) => scopes.includes(one))) return `SCOPE_DENIED ${accepted.join(' ')}`;
              if (ADMINISTRATOR_ACTIONS.includes(action) && !administrator) return 'ADMINISTRATOR_REQUIRED';
              return VERIFIED_ACTIONS.includes(action) && !emailVerified ? 'EMAIL_NOT_VERIFIED' : 'allowed';
            };
            cases.push({ principal, expected });
          }
  return cases;
}

function account(traits: Pick<Account, 'credential' | 'plan' | 'administrator' | 'emailVerified' | 'scopes'>): Account {
  return {
    kind: 'account',
    accountId: 'usr_1',
    email: 'a@example.org',
    credentialId: 'key_1',
    credentialExpiresAt: null,
    ...traits,
  };
}

function resourceCases(): ResourceCase[] {
  const withoutMembership = (action: Action) => PERMISSION[action] === undefined;
  const cases: ResourceCase[] = [{ resource: undefined, expected: withoutMembership }];
  for (const { id, target } of [
    { target: 'any' },
    { id: LISTED, target: 'listed' },
    { id: UNLISTED, target: 'unlisted' },
  ] as const) {
    cases.push({ resource: resourceOf(null, id), expected: withoutMembership });
    for (const role of ['owner', 'editor', 'viewer'] as const)
      for (const csv of RESOURCE_SCOPES)
        for (const forecasts of RESOURCE_SCOPES) {
          const isInScope = { workspace: true, csv: csv[target], forecasts: forecasts[target] };
          cases.push({
            resource: resourceOf({ role, csv, forecasts }, id),
            expected: (action) => {
              const permission = PERMISSION[action];
              return permission === undefined || (permission.roles.includes(role) && isInScope[permission.part]);
            },
          });
        }
  }
  return cases;
}

function resourceOf(membership: Membership | null, id: string | undefined): WorkspaceResource {
  return id === undefined ? { membership } : { membership, id };
}

function format(decision: Decision): string {
  if (decision.allowed) return 'allowed';
  return decision.missingScope ? `${decision.code} ${decision.missingScope}` : decision.code;
}

const ACTIONS = Object.keys(SCOPE_OF) as Action[];

test('decides every action, caller, membership and resource as the design does', () => {
  const callers = callerCases();
  const resources = resourceCases();
  const wrong: object[] = [];
  for (const action of ACTIONS) {
    const isPermitted = resources.map(({ expected }) => expected(action));
    for (const { principal, expected } of callers) {
      const forCaller = expected(action);
      for (const [index, { resource }] of resources.entries()) {
        const wanted = forCaller === 'allowed' && !isPermitted[index] ? 'WORKSPACE_DENIED' : forCaller;
        const got = format(decide(principal, action, resource));
        if (got !== wanted && wrong.length < 5) wrong.push({ action, principal, resource, wanted, got });
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual([callers.length, resources.length], [674, 328], 'no case was left out');
});

test('decides for a caller without a resource as the tables state', () => {
  for (const action of ACTIONS)
    for (const { principal, expected } of callerCases())
      assert.equal(format(decideCaller(principal, action)), expected(action), `${action} ${JSON.stringify(principal)}`);
});

test('denies an action without a rule to every caller, whatever its name', () => {
  const membership: Membership = { role: 'owner', csv: { mode: 'all', ids: [] }, forecasts: { mode: 'all', ids: [] } };
  const strongest = account({
    credential: 'session',
    plan: 'enterprise',
    administrator: true,
    emailVerified: true,
    scopes: ALL_SCOPES,
  });
  for (const name of ['forecast.destroy', '', 'toString', 'constructor', '__proto__', 'hasOwnProperty'])
    for (const principal of [{ kind: 'anonymous' }, { kind: 'guest', guestId: 'gst_1' }, strongest] as const)
      assert.equal(decide(principal, name as Action, { membership }).allowed, false, `${name} as ${principal.kind}`);
});
