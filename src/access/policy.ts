import { ACTION_SCOPES, type Action, type ErrorCode, type Permission, type Scope } from '../contract/index.ts';
import { allows, type Membership } from './membership.ts';
import { mayUseApi, type Principal } from './principal.ts';

interface Rule {
  /** The least a caller must be. */
  readonly caller: 'anyone' | 'guest' | 'account' | 'verified' | 'person';
  /** The workspace permission it takes when the thing belongs to a workspace. */
  readonly permission?: Permission;
}

const ANYONE: Rule = { caller: 'anyone' };
const GUEST: Rule = { caller: 'guest' };
const ACCOUNT: Rule = { caller: 'account' };
/** An account whose address is known to be its own, in whatever workspaces it has a place. */
const VERIFIED: Rule = { caller: 'verified' };
/** An account by its browser session: what a stolen key must not be able to do. */
const PERSON: Rule = { caller: 'person' };

/** A permission of a workspace: registered members only. */
function member(permission: Permission): Rule {
  return { caller: 'account', permission };
}

/** A permission of a workspace where the thing is in one; otherwise it is its owner's, who may be a guest. */
function ownerOrMember(permission: Permission): Rule {
  return { caller: 'guest', permission };
}

/** Who may do what. An action that is not in this table may be done by nobody. */
const POLICY: Record<Action, Rule> = {
  'access.read': ACCOUNT,
  'keys.read': ACCOUNT,
  'keys.write': ACCOUNT,
  'session.create': ANYONE,
  'session.end': ANYONE,
  'sessions.manage': ACCOUNT,
  'password.change': PERSON,
  'verification.request': ACCOUNT,
  'security_events.read': ACCOUNT,
  'guest.create': ANYONE,
  'datasets.read': GUEST,
  'models.read': GUEST,
  'workspace.list': ACCOUNT,
  'workspace.create': ACCOUNT,
  'workspace.read': member('workspace.read'),
  'workspace.update': member('workspace.update'),
  // Only the owner has this permission, and only the owner may end or give away what is the owner's.
  'workspace.delete': member('workspace.update'),
  'workspace.transfer': member('workspace.update'),
  'members.read': member('members.read'),
  'members.manage': member('members.manage'),
  // Of one's own place. (The owner has to give the workspace away first.)
  'members.leave': member('workspace.read'),
  'csv.list': member('csv.list'),
  'csv.read': member('csv.read'),
  'csv.download': member('csv.download'),
  'csv.write': member('csv.write'),
  'forecast.list': ownerOrMember('forecast.list'),
  // Those of a workspace, whoever made them.
  'forecast.list_shared': member('forecast.list'),
  'forecast.read': ownerOrMember('forecast.read'),
  'forecast.create': ownerOrMember('forecast.create'),
  'forecast.cancel': ownerOrMember('forecast.cancel'),
  // Of the original. The new one takes what creating takes, where it is to be.
  'forecast.reproduce': ownerOrMember('forecast.read'),
  'forecast.prepare_save': GUEST,
  // Whoever may no longer read what it made in a workspace may not keep it either.
  'forecast.save': member('forecast.read'),
  // Event forecasts are in no scope that lists things: in a workspace they are for those whose scope is everything.
  'event.list': member('forecast.list'),
  'event.read': member('forecast.read'),
  'event.create': member('forecast.create'),
  'event.revise': member('forecast.create'),
  'event.resolve': member('forecast.create'),
  'scoreboard.read': member('forecast.read'),
  'screener.read': VERIFIED,
  'screener.write': VERIFIED,
};

/** A thing in a workspace. A null membership means that the caller has no place there, or that there is no such workspace. */
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
  | 'EMAIL_NOT_VERIFIED'
  | 'WORKSPACE_DENIED'
>;

export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly code: Denial; readonly missingScope?: Scope };

const ALLOWED: Decision = Object.freeze({ allowed: true });

function denied(code: Denial): Decision {
  return { allowed: false, code };
}

/**
 * May this caller do this, apart from any workspace? Asked at the edge, before the request's body is read.
 */
export function decideCaller(principal: Principal, action: Action): Decision {
  const rule = Object.hasOwn(POLICY, action) ? POLICY[action] : undefined;
  if (!rule) return denied('ACCOUNT_REQUIRED');
  if (rule.caller === 'anyone') return ALLOWED;
  if (principal.kind === 'anonymous') return denied('UNAUTHENTICATED');
  if (principal.kind === 'guest') return rule.caller === 'guest' ? ALLOWED : denied('ACCOUNT_REQUIRED');
  if (rule.caller === 'person' && principal.credential !== 'session') return denied('SESSION_REQUIRED');
  if (!mayUseApi(principal)) return denied('PLAN_REQUIRED');
  const scope = ACTION_SCOPES[action];
  if (scope !== null && !principal.scopes.includes(scope)) {
    return { allowed: false, code: 'SCOPE_DENIED', missingScope: scope };
  }
  if (rule.caller === 'verified' && !principal.emailVerified) return denied('EMAIL_NOT_VERIFIED');
  return ALLOWED;
}

/**
 * May this caller do this to this thing? The whole question: the caller's own standing first, then its place in the
 * workspace that holds the thing. An action on a workspace without one is refused.
 *
 * @example decide(principal, 'csv.read', { membership, id: 'csv_01J…' })
 */
export function decide(principal: Principal, action: Action, resource?: WorkspaceResource): Decision {
  const caller = decideCaller(principal, action);
  if (!caller.allowed) return caller;
  const { permission } = POLICY[action];
  if (permission === undefined) return ALLOWED;
  const membership = resource?.membership;
  return membership && allows(membership, permission, resource.id) ? ALLOWED : denied('WORKSPACE_DENIED');
}
