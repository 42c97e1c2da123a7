import { type Action, type ErrorCode, type GuestAction, type Permission, scopesFor } from '../contract/index.ts';
import { hasPermission, type Membership } from './membership.ts';
import { canUseApi, type Principal } from './principal.ts';

interface RuleFor<Caller> {
  /**
   * The minimum that the caller needs: a guest session, an account, a verified address, a browser
   * session, or an administrator with a verified address, by any credential or by a browser session.
   */
  readonly caller: Caller;
  /** The permission that a resource in a workspace requires. */
  readonly permission?: Permission;
}

type GuestRule = RuleFor<'guest'>;
type OtherRule = RuleFor<'anyone' | 'account' | 'verified' | 'session' | 'administrator' | 'administrator_session'>;

/** The rule of an action. The contract lists the actions that guests may take, because the OpenAPI document names them. */
type RuleOf<Name extends Action> = Name extends GuestAction ? GuestRule : OtherRule;

const ANYONE: OtherRule = { caller: 'anyone' };
const GUEST: GuestRule = { caller: 'guest' };
const ACCOUNT: OtherRule = { caller: 'account' };
/** An account with a verified address. */
const VERIFIED: OtherRule = { caller: 'verified' };
/** An account with a browser session, for actions that must not be possible with a stolen key. */
const BROWSER_SESSION: OtherRule = { caller: 'session' };

/** An administrator with a verified address. */
const ADMINISTRATOR: OtherRule = { caller: 'administrator' };
/** The same with a browser session, because a stolen key must not make its thief an administrator. */
const ADMINISTRATOR_SESSION: OtherRule = { caller: 'administrator_session' };
/** Returns a rule that requires a permission in the workspace, which only members have. */
function member(permission: Permission): OtherRule {
  return { caller: 'account', permission };
}

/**
 * Returns a rule that requires a permission if the resource is in a workspace. Any other resource may belong to a
 * guest.
 */
function ownerOrMember(permission: Permission): GuestRule {
  return { caller: 'guest', permission };
}

/** Decides which callers may take which action. An action that is not in this table is denied to every caller. */
const POLICY: { readonly [Name in Action]: RuleOf<Name> } = {
  'access.read': ACCOUNT,
  'usage.read': GUEST,
  'keys.read': ACCOUNT,
  'keys.write': ACCOUNT,
  'session.create': ANYONE,
  'session.end': ANYONE,
  'sessions.manage': ACCOUNT,
  'applications.manage': ACCOUNT,
  'password.change': BROWSER_SESSION,
  // The export has everything in one file, so a key that may only read the account is not enough.
  'account.export': BROWSER_SESSION,
  'account.erase': BROWSER_SESSION,
  'verification.request': ACCOUNT,
  'security_events.read': ACCOUNT,
  'guest.create': ANYONE,
  'administration.read': ADMINISTRATOR,
  'administration.change': ADMINISTRATOR_SESSION,
  // An account sees and answers only invitations to its own verified address.
  'invitations.read': ACCOUNT,
  'invitations.answer': ACCOUNT,
  'datasets.read': GUEST,
  // Of each kind of feed, a credential sees and changes only those that its scopes allow.
  'feeds.list': ACCOUNT,
  'feeds.change': ACCOUNT,
  // The token in the URL is the credential. Each read asks whether its owner may read what the feed contains.
  'feed.read': ANYONE,
  'models.read': GUEST,
  'workspace.list': ACCOUNT,
  'workspace.create': ACCOUNT,
  'workspace.read': member('workspace.read'),
  'workspace.update': member('workspace.update'),
  // Only the owner has this permission, so only the owner can delete or transfer the workspace.
  'workspace.delete': member('workspace.update'),
  'workspace.transfer': member('workspace.update'),
  'workspace.read_transfer': member('workspace.update'),
  'workspace.read_contents': member('workspace.update'),
  'members.read': member('members.read'),
  'members.manage': member('members.manage'),
  // Applies to the caller's own membership. The owner has to transfer the workspace first.
  'members.leave': member('workspace.read'),
  'csv.list': member('csv.list'),
  'csv.read': member('csv.read'),
  'csv.download': member('csv.download'),
  'csv.write': member('csv.write'),
  'forecast.list': ownerOrMember('forecast.list'),
  // Lists the forecasts of a workspace, regardless of their creator.
  'forecast.list_shared': member('forecast.list'),
  'forecast.read': ownerOrMember('forecast.read'),
  'forecast.create': ownerOrMember('forecast.create'),
  'forecast.update': ownerOrMember('forecast.update'),
  'forecast.cancel': ownerOrMember('forecast.cancel'),
  // In a workspace, only the creator and the owner of the workspace may delete a forecast.
  'forecast.delete': ownerOrMember('forecast.cancel'),
  // Applies to the original forecast. The new one also requires the permission to create forecasts.
  'forecast.reproduce': ownerOrMember('forecast.read'),
  'forecast.prepare_save': GUEST,
  // A caller that can no longer read a forecast of a workspace cannot save it either.
  'forecast.save': member('forecast.read'),
  'track_record.read': member('forecast.read'),
  // Resource scopes do not list event forecasts, so those of a workspace require the resource scope `all`.
  'event.list': member('forecast.list'),
  'event.read': member('forecast.read'),
  'event.create': member('forecast.create'),
  'event.revise': member('forecast.create'),
  'event.resolve': member('forecast.create'),
  'scoreboard.read': member('forecast.read'),
  'screener.read': VERIFIED,
  'screener.write': VERIFIED,
  'webhooks.read': ACCOUNT,
  'webhooks.write': ACCOUNT,
  'workspace_webhooks.read': member('workspace.update'),
  'workspace_webhooks.write': member('workspace.update'),
  'notifications.read': ACCOUNT,
  // The emails go only to the verified address of the account.
  'notifications.change': VERIFIED,
};

/** A resource in a workspace. The membership is null if the caller has none or the workspace does not exist. */
export interface WorkspaceResource {
  readonly membership: Membership | null;
  readonly id?: string;
}

export type Denial = Extract<
  ErrorCode,
  | 'UNAUTHENTICATED'
  | 'ACCOUNT_REQUIRED'
  | 'SESSION_REQUIRED'
  | 'PLAN_REQUIRED'
  | 'SCOPE_DENIED'
  | 'ADMINISTRATOR_REQUIRED'
  | 'EMAIL_NOT_VERIFIED'
  | 'WORKSPACE_DENIED'
>;

export type Decision =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly code: Denial;
      /** The scope that the credential lacks. Several scopes, of which one is enough, are separated by spaces. */
      readonly missingScope?: string;
    };

const ALLOWED: Decision = Object.freeze({ allowed: true });

function denied(code: Denial): Decision {
  return { allowed: false, code };
}

/** Returns the permission that an action requires in a workspace; undefined if it requires none. */
export function permissionFor(action: Action): Permission | undefined {
  return POLICY[action].permission;
}

/**
 * Decides whether a caller may take an action, without regard to a workspace. The API calls this function before it
 * reads the request body.
 */
export function decideCaller(principal: Principal, action: Action): Decision {
  const rule = Object.hasOwn(POLICY, action) ? POLICY[action] : undefined;
  if (!rule) return denied('ACCOUNT_REQUIRED');
  if (rule.caller === 'anyone') return ALLOWED;
  if (principal.kind === 'anonymous') return denied('UNAUTHENTICATED');
  if (principal.kind === 'guest') return rule.caller === 'guest' ? ALLOWED : denied('ACCOUNT_REQUIRED');
  if (rule.caller.endsWith('session') && principal.credential !== 'session') return denied('SESSION_REQUIRED');
  if (!canUseApi(principal)) return denied('PLAN_REQUIRED');
  const scopes = scopesFor(action);
  if (scopes.length > 0 && !scopes.some((scope) => principal.scopes.includes(scope))) {
    return { allowed: false, code: 'SCOPE_DENIED', missingScope: scopes.join(' ') };
  }
  const isForAdministrators = rule.caller.startsWith('administrator');
  if (isForAdministrators && !principal.administrator) return denied('ADMINISTRATOR_REQUIRED');
  if ((isForAdministrators || rule.caller === 'verified') && !principal.emailVerified) {
    return denied('EMAIL_NOT_VERIFIED');
  }
  return ALLOWED;
}

/**
 * Decides whether a caller may take an action on a resource: first by the caller itself, then by the caller's membership
 * in the workspace of the resource. If the action requires a permission and no resource is given, it is denied.
 *
 * @example decide(principal, 'csv.read', { membership, id: 'csv_01J…' })
 */
export function decide(principal: Principal, action: Action, resource?: WorkspaceResource): Decision {
  const caller = decideCaller(principal, action);
  if (!caller.allowed) return caller;
  const { permission } = POLICY[action];
  if (permission === undefined) return ALLOWED;
  const membership = resource?.membership;
  return membership && hasPermission(membership, permission, resource.id) ? ALLOWED : denied('WORKSPACE_DENIED');
}
