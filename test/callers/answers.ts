import type { ErrorCode, Scope } from '../../src/contract/index.ts';
import { CALLERS, type CallerName, forEachScope } from './callers.ts';

/** A success status, or the status and code of a refusal. */
export type Answer = number | `${number} ${ErrorCode}`;

/** What every caller is answered. */
export type Answers = Readonly<Record<CallerName, Answer>>;

/** For operations of registered accounts: everyone who may not is refused, each for its own reason. */
export function accountsWith(scope: Scope, success: Answer): Answers {
  return {
    'no credential': '401 UNAUTHENTICATED',
    'malformed bearer': '401 UNAUTHENTICATED',
    'unknown key': '401 UNAUTHENTICATED',
    'revoked key': '401 UNAUTHENTICATED',
    'expired key': '401 UNAUTHENTICATED',
    'expired session': '401 UNAUTHENTICATED',
    guest: '403 ACCOUNT_REQUIRED',
    'free account by session': success,
    'free account by key': '403 PLAN_REQUIRED',
    'pro account by session': success,
    'pro key with every scope': success,
    'enterprise key': success,
    'service key': success,
    'verified free administrator by key': success,
    'unverified free administrator by key': '403 PLAN_REQUIRED',
    ...forEachScope((only) => (only === scope ? success : '403 SCOPE_DENIED')),
  };
}

/** For operations that guests may use as well. */
export function guestsAndAccountsWith(scope: Scope, success: Answer): Answers {
  return { ...accountsWith(scope, success), guest: success };
}

/** For operations that come before or end a sign-in: a credential, good or bad, plays no part. */
export function anyone(success: number): Answers {
  return Object.fromEntries(Object.keys(CALLERS).map((name) => [name, success])) as Record<CallerName, Answer>;
}
