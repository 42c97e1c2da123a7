import { DAY_MS } from '../../../src/calendar/index.ts';
import type { Plan } from '../../../src/contract/index.ts';
import { type Caller, dailyPoints, type ForecastService } from '../forecasts/forecast-service.ts';
import { makeAccount, withGuest, withSession } from '../identity/callers.ts';
import { type PageVisitor, pageVisitor } from '../identity/page-visitor.ts';
import { requestAs } from './request-as.ts';

/** A browser on the pages of the console, and the same caller on the API. */
export interface ConsoleBrowser extends PageVisitor {
  readonly caller: Caller;
  readonly email: string;
}

/** Opens a browser: of a guest, or in which a new account is signed in. */
export async function openBrowser(service: ForecastService, who: 'guest' | Plan): Promise<ConsoleBrowser> {
  const { app, identity } = service;
  const account = who === 'guest' ? null : await makeAccount(identity, { plan: who });
  const credentials = account === null ? await withGuest(identity) : await withSession(identity, account.email);
  const visitor = pageVisitor(app);
  addCookie(visitor, credentials.cookie ?? '');
  const caller = { credentials, accountId: account?.id ?? null, request: requestAs(app, credentials) };
  return { ...visitor, caller, email: account?.email ?? '' };
}

/** Gives a browser a cookie, written as in a Cookie header. */
export function addCookie({ cookies }: Pick<PageVisitor, 'cookies'>, cookie: string): void {
  const at = cookie.indexOf('=');
  cookies.set(cookie.slice(0, at), cookie.slice(at + 1));
}

/** Returns the hidden field of a form on a page. */
export function hiddenField(page: string, form: string, name: string): string {
  const start = page.indexOf(`action="${form}"`);
  const found = new RegExp(`name="${name}" value="([^"]*)"`).exec(start === -1 ? '' : page.slice(start));
  if (!found) throw new Error(`The form ${form} has no field ${name}.`);
  return found[1] ?? '';
}

/** Returns rows whose forecast lies in the future. */
export function recentRows(): object {
  return { type: 'inline', points: dailyPoints(40, Math.floor(Date.now() / DAY_MS) * DAY_MS - 40 * DAY_MS) };
}
