import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action, Scope } from '../contract/index.ts';
import type { Membership, ResourceScope } from './membership.ts';
import { type Decision, decide, decideCaller, type WorkspaceResource } from './policy.ts';
import type { Account, Principal } from './principal.ts';

// The oracle: the design's words as tables, written out by hand and knowing nothing of the code under test.

/** The scope that each action needs; null: it comes before or ends a sign-in, and anyone may. */
const SCOPE_OF: Record<Action, Scope | null> = {
  'access.read': 'account:read',
  'keys.read': 'account:read',
  'keys.write': 'account:read',
  'session.create': null,
  'session.end': null,
  'sessions.manage': 'account:read',
  'password.change': 'account:read',
  'verification.request': 'account:read',
  'security_events.read': 'account:read',
  'guest.create': null,
  'datasets.read': 'datasets:read',
  'models.read': 'forecasts:read',
  'workspace.list': 'workspaces:read',
  'workspace.create': 'workspaces:write',
  'workspace.read': 'workspaces:read',
  'workspace.update': 'workspaces:write',
  'workspace.delete': 'workspaces:write',
  'workspace.transfer': 'workspaces:write',
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
  'forecast.cancel': 'forecasts:write',
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
};

/** What guests may do: search, describe, download, forecast for themselves, and get ready to save; never save. */
const OF_GUESTS: readonly Action[] = [
  'datasets.read',
  'models.read',
  'forecast.list',
  'forecast.read',
  'forecast.create',
  'forecast.cancel',
  'forecast.reproduce',
  'forecast.prepare_save',
];

/** What only a person signed in at a browser may do, whatever a key carries. */
const OF_PERSONS: readonly Action[] = ['password.change'];

/** What takes a verified e-mail address, whatever the workspace role. */
const OF_VERIFIED: readonly Action[] = ['screener.read', 'screener.write'];

type Part = 'workspace' | 'csv' | 'forecasts';

/** The workspace permissions: who has each by role, and which part of the resource scope bounds it. */
const PERMISSION: Partial<Record<Action, { readonly roles: readonly string[]; readonly part: Part }>> = {
  'workspace.read': { roles: ['owner', 'editor', 'viewer'], part: 'workspace' },
  'workspace.update': { roles: ['owner'], part: 'workspace' },
  'workspace.delete': { roles: ['owner'], part: 'workspace' },
  'workspace.transfer': { roles: ['owner'], part: 'workspace' },
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
  'forecast.cancel': { roles: ['owner', 'editor'], part: 'forecasts' },
  'forecast.reproduce': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'forecast.save': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'event.list': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'event.read': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
  'event.create': { roles: ['owner', 'editor'], part: 'forecasts' },
  'event.revise': { roles: ['owner', 'editor'], part: 'forecasts' },
  'event.resolve': { roles: ['owner', 'editor'], part: 'forecasts' },
  'scoreboard.read': { roles: ['owner', 'editor', 'viewer'], part: 'forecasts' },
};

const LISTED = 'thing_listed';
const UNLISTED = 'thing_unlisted';

/** Every state of a resource scope, with what it lets through: anything at all, the listed thing, the other one. */
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
  const open = (action: Action) => SCOPE_OF[action] === null;
  const cases: CallerCase[] = [
    { principal: { kind: 'anonymous' }, expected: (action) => (open(action) ? 'allowed' : 'UNAUTHENTICATED') },
    {
      principal: { kind: 'guest', guestId: 'gst_1' },
      expected: (action) => (open(action) || OF_GUESTS.includes(action) ? 'allowed' : 'ACCOUNT_REQUIRED'),
    },
  ];
  const yesNo = [true, false];
  for (const credential of ['key', 'oauth', 'session'] as const)
    for (const plan of ['free', 'pro', 'enterprise'] as const)
      for (const administrator of yesNo)
        for (const emailVerified of yesNo)
          for (const scopes of [ALL_SCOPES, [], ...ALL_SCOPES.map((scope) => [scope])]) {
            const principal = account({ credential, plan, administrator, emailVerified, scopes });
            const entitled = credential === 'session' || plan !== 'free' || (administrator && emailVerified);
            const expected = (action: Action) => {
              const scope = SCOPE_OF[action];
              if (scope === null) return 'allowed';
              if (OF_PERSONS.includes(action) && credential !== 'session') return 'SESSION_REQUIRED';
              if (!entitled) return 'PLAN_REQUIRED';
              if (!scopes.includes(scope)) return `SCOPE_DENIED ${scope}`;
              return OF_VERIFIED.includes(action) && !emailVerified ? 'EMAIL_NOT_VERIFIED' : 'allowed';
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
  const noPlace = (action: Action) => PERMISSION[action] === undefined;
  const cases: ResourceCase[] = [{ resource: undefined, expected: noPlace }];
  for (const { id, lets } of [
    { lets: 'any' },
    { id: LISTED, lets: 'listed' },
    { id: UNLISTED, lets: 'unlisted' },
  ] as const) {
    cases.push({ resource: resourceOf(null, id), expected: noPlace });
    for (const role of ['owner', 'editor', 'viewer'] as const)
      for (const csv of RESOURCE_SCOPES)
        for (const forecasts of RESOURCE_SCOPES) {
          const lettingThrough = { workspace: true, csv: csv[lets], forecasts: forecasts[lets] };
          cases.push({
            resource: resourceOf({ role, csv, forecasts }, id),
            expected: (action) => {
              const permission = PERMISSION[action];
              return permission === undefined || (permission.roles.includes(role) && lettingThrough[permission.part]);
            },
          });
        }
  }
  return cases;
}

function resourceOf(membership: Membership | null, id: string | undefined): WorkspaceResource {
  return id === undefined ? { membership } : { membership, id };
}

function written(decision: Decision): string {
  if (decision.allowed) return 'allowed';
  return decision.missingScope ? `${decision.code} ${decision.missingScope}` : decision.code;
}

const ACTIONS = Object.keys(SCOPE_OF) as Action[];

test('every action, caller, membership and resource gets the answer of the design', () => {
  const callers = callerCases();
  const resources = resourceCases();
  const wrong: object[] = [];
  for (const action of ACTIONS) {
    const inPlace = resources.map(({ expected }) => expected(action));
    for (const { principal, expected } of callers) {
      const standing = expected(action);
      for (const [index, { resource }] of resources.entries()) {
        const wanted = standing === 'allowed' && !inPlace[index] ? 'WORKSPACE_DENIED' : standing;
        const got = written(decide(principal, action, resource));
        if (got !== wanted && wrong.length < 5) wrong.push({ action, principal, resource, wanted, got });
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual([callers.length, resources.length], [434, 328], 'no case was left out');
});

test('at the edge the same answer is given without the workspace', () => {
  for (const action of ACTIONS)
    for (const { principal, expected } of callerCases())
      assert.equal(
        written(decideCaller(principal, action)),
        expected(action),
        `${action} ${JSON.stringify(principal)}`,
      );
});

test('an action that no rule names may be done by nobody, whatever its name', () => {
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
