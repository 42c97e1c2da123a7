import type { IdentityContext } from '../../src/identity/index.ts';
import { makeAccount, withKey } from '../support/identity/callers.ts';
import type { MembershipSpec } from '../support/workspaces/workspaces.ts';
import type { Caller } from './callers.ts';
import { guestCaller } from './guests.ts';

/** Resource scopes of members, in relation to one file and one forecast. */
const SCOPES = ['everything', 'the resource', 'another resource', 'an empty list', 'nothing'] as const;
type ScopeName = (typeof SCOPES)[number];

/** One value for each scope, in this order. */
export type EachScope<Value> = readonly [Value, Value, Value, Value, Value];

type RoleName = 'editor' | 'viewer';
type MemberName<Role extends RoleName = RoleName> = `${Role} of ${ScopeName}`;

export function forEachScopeOf<Role extends RoleName, Value>(
  role: Role,
  values: EachScope<Value>,
): Record<MemberName<Role>, Value> {
  const entries = SCOPES.map((scope, index) => [`${role} of ${scope}`, values[index]]);
  return Object.fromEntries(entries) as Record<MemberName<Role>, Value>;
}

/** Callers by their relation to a workspace. Their credentials allow everything, so only the membership decides. */
export type MembershipCaller =
  | 'owner'
  | MemberName
  | 'removed creator'
  | 'removed member'
  | 'owner of another workspace'
  | 'administrator of another workspace'
  | 'another guest';

const byKey = async (identity: IdentityContext): Promise<Caller> => {
  const { id } = await makeAccount(identity, { plan: 'enterprise', password: null });
  return { credentials: await withKey(identity, id), accountId: id };
};

const byAdministratorsKey = async (identity: IdentityContext): Promise<Caller> => {
  const { id } = await makeAccount(identity, { plan: 'enterprise', administrator: true, password: null });
  return { credentials: await withKey(identity, id), accountId: id };
};

export const MEMBERSHIP_CALLERS: Readonly<Record<MembershipCaller, (identity: IdentityContext) => Promise<Caller>>> = {
  owner: byKey,
  ...forEachScopeOf('editor', [byKey, byKey, byKey, byKey, byKey]),
  ...forEachScopeOf('viewer', [byKey, byKey, byKey, byKey, byKey]),
  'removed creator': byKey,
  'removed member': byKey,
  'owner of another workspace': byKey,
  'administrator of another workspace': byAdministratorsKey,
  'another guest': guestCaller,
};

/** Returns the membership of a caller that is not the owner; null for callers without one. */
export function membershipOf(
  name: MembershipCaller,
  resource: { readonly csv: string; readonly forecast: string },
): MembershipSpec | null {
  const [, role, scope] = /^(editor|viewer) of (.+)$/.exec(name) ?? [];
  if (role === undefined) return null;
  return { role: role as RoleName, ...scopeColumns(scope as ScopeName, resource) };
}

function scopeColumns(scope: ScopeName, resource: { readonly csv: string; readonly forecast: string }): MembershipSpec {
  if (scope === 'everything') return {};
  if (scope === 'nothing') return { csv_scope_mode: 'none', forecasts_scope_mode: 'none' };
  const lists: Record<typeof scope, readonly [string[], string[]]> = {
    'the resource': [[resource.csv], [resource.forecast]],
    'another resource': [['csv_another'], ['ef_another']],
    'an empty list': [[], []],
  };
  const [csv_scope_ids, forecasts_scope_ids] = lists[scope];
  return { csv_scope_mode: 'selected', csv_scope_ids, forecasts_scope_mode: 'selected', forecasts_scope_ids };
}
