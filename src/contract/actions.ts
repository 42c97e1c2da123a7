import type { Permission, Scope } from './vocabulary.ts';

/**
 * The actions of the service, each with the scope that the caller's credential needs. If several are listed, one of them
 * is enough for admission, and the operation checks the one that its object needs. An action that begins or ends a
 * session, or whose credential is a part of its path, needs no scope (`null`). `src/access` decides by plan, role and
 * resource scope which callers may take an action.
 */
export const ACTION_SCOPES = {
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
  'models.read': 'forecasts:read',
  'forecast.list': 'forecasts:read',
  'forecast.list_shared': 'forecasts:read',
  'forecast.read': 'forecasts:read',
  'forecast.create': 'forecasts:write',
  'forecast.update': 'forecasts:write',
  'forecast.cancel': 'forecasts:write',
  'forecast.delete': 'forecasts:write',
  'forecast.reproduce': 'forecasts:write',
  'forecast.prepare_save': 'forecasts:write',
  'forecast.save': 'forecasts:write',
  'track_record.read': 'forecasts:read',
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
} as const satisfies Record<Permission, Scope> & Record<string, Scope | readonly Scope[] | null>;

export type Action = keyof typeof ACTION_SCOPES;

/** Returns the scopes of which a credential needs one for an action; none if the action needs no scope. */
export function scopesFor(action: Action): readonly Scope[] {
  return [ACTION_SCOPES[action] ?? []].flat();
}

/**
 * The actions that guests may take, apart from those that need no scope. The policy compiles only if it allows guests
 * these actions and no others.
 */
export const GUEST_ACTIONS = [
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
] as const satisfies readonly Action[];

export type GuestAction = (typeof GUEST_ACTIONS)[number];
