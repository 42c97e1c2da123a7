import { withReturnTo } from './return-to.ts';
import { type MemberVisit, type PageHandler, SeeOther } from './visit.ts';

type MemberHandler = (visit: MemberVisit) => ReturnType<PageHandler>;

/** A page for people who are signed in; others sign in first and come back. */
export function forMembers(answer: MemberHandler): PageHandler {
  return async (visit) => {
    const { account } = visit;
    if (account) return answer({ ...visit, account });
    return new SeeOther(withReturnTo('/auth/sign-in', '/auth/account'));
  };
}
