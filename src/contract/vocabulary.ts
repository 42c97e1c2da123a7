/** The closed lists of words that appear on the wire. */

export const SCOPES = [
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
] as const;
export type Scope = (typeof SCOPES)[number];

export const PLANS = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export const ROLES = ['owner', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export const PERMISSIONS = [
  'workspace.read',
  'workspace.update',
  'members.read',
  'members.manage',
  'csv.list',
  'csv.read',
  'csv.download',
  'csv.write',
  'forecast.list',
  'forecast.read',
  'forecast.create',
  'forecast.cancel',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const RESOURCE_SCOPE_MODES = ['all', 'selected', 'none'] as const;
export type ResourceScopeMode = (typeof RESOURCE_SCOPE_MODES)[number];
