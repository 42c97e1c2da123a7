import { endSession, SESSION_LIFETIME_MS, type SignIn } from '../../../../identity/index.ts';
import { withReturnTo } from './return-to.ts';
import { SeeOther, type Visit } from './visit.ts';

/** Gives the browser its new session; the one that it had ends. */
export async function startSession({ parts, cookies, origin }: Visit, { secret }: SignIn): Promise<void> {
  const previous = cookies.get('session');
  if (previous) await endSession(parts.identity, previous, origin);
  cookies.set('session', secret, SESSION_LIFETIME_MS / 1000);
}

/** Goes on by a page that notices when the browser has not kept the cookie. */
export function goOn(returnTo: string | null): SeeOther {
  return new SeeOther(withReturnTo('/auth/signed-in', returnTo));
}
