import type { IdentityContext } from '../../src/identity/index.ts';
import { makeAccount, withKey } from '../support/identity/callers.ts';
import type { PlaceSpec } from '../support/workspaces/workspaces.ts';
import type { Caller } from './callers.ts';
import { asCallingGuest } from './guests.ts';

/** What a member's resource scope lets it see, seen from one file and one forecast. */
const SCOPES = ['everything', 'the thing', 'another thing', 'an empty list', 'nothing'] as const;
type ScopeName = (typeof SCOPES)[number];

/** One for each of them, in this order. */
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

/** Callers by where they stand to somebody's workspace. All have the best of credentials: nothing else is in their way. */
export type PlacedName =
  | 'owner'
  | MemberName
  | 'maker who was removed'
  | 'member who was removed'
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

export const PLACED_CALLERS: Readonly<Record<PlacedName, (identity: IdentityContext) => Promise<Caller>>> = {
  owner: byKey,
  ...forEachScopeOf('editor', [byKey, byKey, byKey, byKey, byKey]),
  ...forEachScopeOf('viewer', [byKey, byKey, byKey, byKey, byKey]),
  'maker who was removed': byKey,
  'member who was removed': byKey,
  'owner of another workspace': byKey,
  'administrator of another workspace': byAdministratorsKey,
  'another guest': asCallingGuest,
};

/** The place that a caller has beside the owner; null: none any more, or never one. */
export function placeIn(
  name: PlacedName,
  thing: { readonly csv: string; readonly forecast: string },
): PlaceSpec | null {
  const [, role, scope] = /^(editor|viewer) of (.+)$/.exec(name) ?? [];
  if (role === undefined) return null;
  return { role: role as RoleName, ...scopeColumns(scope as ScopeName, thing) };
}

function scopeColumns(scope: ScopeName, thing: { readonly csv: string; readonly forecast: string }): PlaceSpec {
  if (scope === 'everything') return {};
  if (scope === 'nothing') return { csv_scope_mode: 'none', forecasts_scope_mode: 'none' };
  const lists: Record<typeof scope, readonly [string[], string[]]> = {
    'the thing': [[thing.csv], [thing.forecast]],
    'another thing': [['csv_another'], ['ef_another']],
    'an empty list': [[], []],
  };
  const [csv_scope_ids, forecasts_scope_ids] = lists[scope];
  return { csv_scope_mode: 'selected', csv_scope_ids, forecasts_scope_mode: 'selected', forecasts_scope_ids };
}
