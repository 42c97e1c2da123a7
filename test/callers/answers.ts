import type { ErrorCode, Scope } from '../../src/contract/index.ts';
import { CALLERS, type CallerName, forEachScope, type StandingName } from './callers.ts';
import { type EachScope, forEachScopeOf, type MembershipCaller } from './membership-callers.ts';

/** A success status, or the status and code of a refusal. */
export type Answer = number | `${number} ${ErrorCode}`;

/** What every caller is answered. */
export type Answers = Readonly<Record<CallerName, Answer>>;

export const DENIED = '403 WORKSPACE_DENIED';
export const MISSING = '404 NOT_FOUND';
const NEEDS_ACCOUNT = '403 ACCOUNT_REQUIRED';

/** For operations of registered accounts: everyone who may not is refused, each for its own reason. */
export function accountsWith(scope: Scope, success: Answer): Answers {
  const standing: Record<StandingName, Answer> = {
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
    'pro key with every scope': success,
    'enterprise key': success,
    'service key': success,
    'verified free administrator by key': success,
    'unverified free administrator by key': '403 PLAN_REQUIRED',
    'pro account by token': success,
    'free account by token': '403 PLAN_REQUIRED',
    'token of a revoked grant': '401 UNAUTHENTICATED',
    'pro account by outside token': success,
    'free account by outside token': '403 PLAN_REQUIRED',
    'outside token for another audience': '401 UNAUTHENTICATED',
    ...forEachScope((only) => (only === scope ? success : '403 SCOPE_DENIED')),
  };
  const five: EachScope<Answer> = [success, success, success, success, success];
  return { ...standing, ...byMembership({ owner: success, editor: five, viewer: five, others: success }) };
}

/** For operations of accounts with a verified address. All of them have one but the free account. */
export function verifiedWith(scope: Scope, success: Answer): Answers {
  return { ...accountsWith(scope, success), 'free account by session': '403 EMAIL_NOT_VERIFIED' };
}

interface AnswersByMembership {
  readonly owner: Answer;
  /** For the scopes everything, the resource, another resource, an empty list and nothing. */
  readonly editor: EachScope<Answer>;
  readonly viewer: EachScope<Answer>;
  /** For the removed creator of the resource; by default the answer to other callers without a membership. */
  readonly maker?: Answer;
  readonly others: Answer;
  /** Left out: it needs an account. */
  readonly guest?: Answer;
}

/** Returns the answers to callers that are, were or never were members of the resource's workspace. */
export function byMembership({ owner, editor, viewer, maker, others, guest = NEEDS_ACCOUNT }: AnswersByMembership) {
  return {
    owner,
    ...forEachScopeOf('editor', editor),
    ...forEachScopeOf('viewer', viewer),
    'maker who was removed': maker ?? others,
    'member who was removed': others,
    'owner of another workspace': others,
    'administrator of another workspace': others,
    'another guest': guest,
  } satisfies Record<MembershipCaller, Answer>;
}

/** For operations of a person at a browser: whatever a key or a token carries, it is not enough. */
export function onlyPersons(success: Answer): Answers {
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

/** For operations that guests may use as well. */
export function guestsAndAccountsWith(scope: Scope, success: Answer): Answers {
  return { ...accountsWith(scope, success), guest: success, 'another guest': success };
}

/** For operations that come before or end a sign-in: a credential, good or bad, plays no part. */
export function anyone(success: number): Answers {
  const everybody = Object.keys(accountsWith('account:read', success));
  return Object.fromEntries(everybody.map((name) => [name, success])) as Record<CallerName, Answer>;
}
