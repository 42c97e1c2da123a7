import { PERMISSIONS, type Permission, type ResourceScopeMode, type Role } from '../contract/index.ts';

export interface ResourceScope {
  readonly mode: ResourceScopeMode;
  /** The selected ids. Used only with the mode `selected`. */
  readonly ids: readonly string[];
}

/** A caller's current membership in a workspace. */
export interface Membership {
  readonly role: Role;
  readonly csv: ResourceScope;
  readonly forecasts: ResourceScope;
}

export const WHOLE_SCOPE: ResourceScope = Object.freeze({ mode: 'all', ids: Object.freeze([]) });

const OWNER_ONLY: readonly Permission[] = ['workspace.update', 'members.manage'];
const VIEWER: readonly Permission[] = [
  'workspace.read',
  'members.read',
  'csv.list',
  'csv.read',
  'csv.download',
  'forecast.list',
  'forecast.read',
];

const PERMISSIONS_BY_ROLE: Record<Role, readonly Permission[]> = {
  owner: PERMISSIONS,
  editor: PERMISSIONS.filter((permission) => !OWNER_ONLY.includes(permission)),
  viewer: VIEWER,
};

export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS_BY_ROLE[role];
}

/** Returns the resource scope that restricts a permission, or null for a permission on the workspace itself. */
export function scopeFor(permission: Permission, membership: Membership): ResourceScope | null {
  if (permission.startsWith('csv.')) return membership.csv;
  if (permission.startsWith('forecast.')) return membership.forecasts;
  return null;
}

/**
 * Returns whether a membership has a permission on a resource or, without an id, on at least one resource.
 *
 * @example hasPermission(membership, 'csv.read', 'csv_01J…')
 */
export function hasPermission(membership: Membership, permission: Permission, resourceId?: string): boolean {
  if (!PERMISSIONS_BY_ROLE[membership.role].includes(permission)) return false;
  const scope = scopeFor(permission, membership);
  if (scope === null || scope.mode === 'all') return true;
  if (scope.mode === 'none') return false;
  return resourceId === undefined ? scope.ids.length > 0 : scope.ids.includes(resourceId);
}

/** Returns the permissions on files and forecasts that the membership has for at least one file or forecast. */
export function capabilitiesOf(membership: Membership): Permission[] {
  return permissionsOf(membership.role).filter(
    (permission) => scopeFor(permission, membership) !== null && hasPermission(membership, permission),
  );
}
