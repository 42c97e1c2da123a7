import type { ErrorCode, Scope } from '../../src/contract/index.ts';
import { CALLERS, type CallerName, type CredentialCaller, forEachScope } from './callers.ts';
import { type EachScope, forEachScopeOf, type MembershipCaller } from './membership-callers.ts';

/** A success status, or the status and code of a refusal. */
export type Answer = number | `${number} ${ErrorCode}`;

/** The expected answer to every caller. */
export type Answers = Readonly<Record<CallerName, Answer>>;

export const DENIED = '403 WORKSPACE_DENIED';
export const MISSING = '404 NOT_FOUND';
const NEEDS_ACCOUNT = '403 ACCOUNT_REQUIRED';

/** Answers of operations for registered accounts: every other caller is refused, each for its own reason. */
export function accountsWith(scope: Scope, success: Answer): Answers {
  const standing: Record<CredentialCaller, Answer> = {
    'no credential': '401 UNAUTHENTICATED',
    'malformed bearer': '401 UNAUTHENTICATED',
    'unknown key': '401 UNAUTHENTICATED',
    'revoked key': '401 UNAUTHENTICATED',
    'expired key': '401 UNAUTHENTICATED',
    'expired session': '401 UNAUTHENTICATED',
    guest: NEEDS_ACCOUNT,
    'free account by session': success,
    'free account by key': '403 PLAN_REQUIRED',
    'pro account by session': success,
    'pro administrator by session': success,
    'pro key with every scope': success,
    'enterprise key': success,
    'service key': success,
    'verified free administrator by key': success,
    'unverified free administrator by key': '403 PLAN_REQUIRED',
    'pro account by token': success,
    'free account by token': '403 PLAN_REQUIRED',
    'token of a revoked grant': '401 UNAUTHENTICATED',
    'pro account by external token': success,
    'free account by external token': '403 PLAN_REQUIRED',
    'external token for another audience': '401 UNAUTHENTICATED',
    ...forEachScope((only) => (only === scope ? success : '403 SCOPE_DENIED')),
  };
  const five: EachScope<Answer> = [success, success, success, success, success];
  return { ...standing, ...byMembership({ owner: success, editor: five, viewer: five, others: success }) };
}

/** Answers of operations for accounts with a verified address. Only the free account has none. */
export function verifiedWith(scope: Scope, success: Answer): Answers {
  return { ...accountsWith(scope, success), 'free account by session': '403 EMAIL_NOT_VERIFIED' };
}

interface AnswersByMembership {
  readonly owner: Answer;
  /** One answer for each scope: everything, the resource, another resource, an empty list and nothing. */
  readonly editor: EachScope<Answer>;
  readonly viewer: EachScope<Answer>;
  /** For the removed creator of the resource; by default the answer to other callers without a membership. */
  readonly creator?: Answer;
  readonly others: Answer;
  /** Default: an account is required. */
  readonly guest?: Answer;
}

/** Returns the answers to callers that are, were or never were members of the resource's workspace. */
export function byMembership({ owner, editor, viewer, creator, others, guest = NEEDS_ACCOUNT }: AnswersByMembership) {
  return {
    owner,
    ...forEachScopeOf('editor', editor),
    ...forEachScopeOf('viewer', viewer),
    'removed creator': creator ?? others,
    'removed member': others,
    'owner of another workspace': others,
    'administrator of another workspace': others,
    'another guest': guest,
  } satisfies Record<MembershipCaller, Answer>;
}

/** Answers of operations for browser sessions: no key or token is enough. */
export function onlySessions(success: Answer): Answers {
  const answers = accountsWith('account:read', success);
  const byKey = Object.entries(answers).map(([caller, answer]) =>
    isAnswerToKey(caller, answer) ? [caller, '403 SESSION_REQUIRED'] : [caller, answer],
  );
  return Object.fromEntries(byKey) as Answers;
}

/** Returns whether the caller has a valid key or token. Membership callers use keys. */
function isAnswerToKey(caller: string, answer: Answer): boolean {
  if (!(caller in CALLERS)) return answer !== NEEDS_ACCOUNT;
  return /\b(key|token)\b/.test(caller) && answer !== '401 UNAUTHENTICATED';
}

const NOT_ADMINISTRATOR = '403 ADMINISTRATOR_REQUIRED';

/** Answers of operations that administrators with a verified address use with any credential. */
export function administratorsOnly(success: Answer): Answers {
  return {
    ...accountsWith('account:read', NOT_ADMINISTRATOR),
    'verified free administrator by key': success,
    'pro administrator by session': success,
    'administrator of another workspace': success,
  };
}

/** Answers of operations that administrators with a verified address use in a browser. */
export function administratorSessionsOnly(success: Answer): Answers {
  return { ...onlySessions(NOT_ADMINISTRATOR), 'pro administrator by session': success };
}

/** Answers of operations that guests may use as well. */
export function guestsAndAccountsWith(scope: Scope, success: Answer): Answers {
  return { ...accountsWith(scope, success), guest: success, 'another guest': success };
}

/** Answers of operations that begin or end a sign-in: credentials do not matter. */
export function anyone(success: number): Answers {
  const names = Object.keys(accountsWith('account:read', success));
  return Object.fromEntries(names.map((name) => [name, success])) as Record<CallerName, Answer>;
}
