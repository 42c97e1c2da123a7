import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../access/index.ts';
import {
  checkReturnTo,
  endSession,
  isOwnPath,
  type Origin,
  SESSION_LIFETIME_MS,
  type StartedSession,
} from '../../identity/index.ts';
import type { CookieJar } from '../edge/cookies.ts';
import { pathOf } from '../edge/paths.ts';
import type { ApiParts } from '../parts.ts';
import { html, type Page } from './html.ts';
import { NO_MAIL_SERVER } from './no-mail-server.ts';

/** The request of a browser that a page handler receives. */
export interface Visit {
  readonly parts: ApiParts;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly cookies: CookieJar;
  /** The account that is signed in with this browser, if any. */
  readonly account: Account | null;
  readonly address: string;
  /** The network and browser of the visit, for security events. */
  readonly origin: Origin;
  /** The fields of the submitted form, not yet checked. */
  readonly form: unknown;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Redirects the browser with a GET, so that reloading the next page does not submit the form again. */
export class SeeOther {
  readonly location: string;

  /**
   * @param path a path of this site, already checked if it came from a request. It is encoded, as headers allow only
   * ASCII.
   */
  constructor(path: string) {
    const { pathname, search, hash } = new URL(path, 'http://site.invalid');
    this.location = pathname + search + hash;
  }
}

export type PageHandler = (visit: Visit) => Promise<Page | SeeOther>;

export interface PageRoute {
  readonly path: string;
  readonly get?: PageHandler;
  readonly post?: PageHandler;
}

/** Gives the browser its new session and ends the previous one. */
export async function replaceSession({ parts, cookies, origin }: Visit, { secret }: StartedSession): Promise<void> {
  const previous = cookies.get('session');
  if (previous) await endSession(parts.identity, previous, origin);
  cookies.set('session', secret, SESSION_LIFETIME_MS / 1000);
}

/** Redirects through a page that detects whether the browser accepted the session cookie. */
export function continueAfterSignIn(returnTo: string | null): SeeOther {
  return new SeeOther(withReturnTo('/auth/signed-in', returnTo));
}

/**
 * Continues to an application after a form with a password. The policy of such a page allows forms to lead only to this
 * site, and Chrome applies it to the redirects that follow. The redirects therefore start from another page.
 *
 * @param options.needsClick whether the person has to click: phones open an application only after a click, and the
 * redirect may work only once
 */
export function continueToApplication(
  { request }: Visit,
  location: string,
  { needsClick = false } = {},
): Page | SeeOther {
  // Browsers that apply the policy to redirects also send this header. Other browsers do not need the page.
  if (request.headers['sec-fetch-mode'] !== 'navigate') return new SeeOther(location);
  return {
    title: 'One moment',
    ...(needsClick ? {} : { forwardTo: location }),
    body: html`<div class="card stack">
<h1>One moment</h1>
<p class="soft">You are returning to the application.</p>
<p><a class="button whole" href="${location}">Continue</a></p>
</div>`,
  };
}

/** Returns the path at which to continue after a sign-in, or null if none is given. Throws if it is not on this site. */
export function readReturnTo(value: unknown): string | null {
  return value === undefined || value === '' ? null : checkReturnTo(value);
}

/** Adds the path at which to continue after the sign-in to the address of a page. */
export function withReturnTo(address: string, returnTo: string | null): string {
  return returnTo === null ? address : `${address}?return_to=${encodeURIComponent(returnTo)}`;
}

/** Returns the address of a request as one at which to continue; the start page if it cannot be one. */
export function ownAddress(url: string): string {
  const address = url.replace(/^https?:\/\/[^/]*(?=\/)/i, '');
  return isOwnPath(address) && isDecodable(address) ? address : '/';
}

function isDecodable(address: string): boolean {
  try {
    decodeURI(address);
    return true;
  } catch {
    return false;
  }
}

/** Notices about an action on the previous page. */
const NOTICES = {
  account_ready:
    'Your account is ready. You are signed in. Upload a file or search for a series to make your first forecast.',
  signed_out: 'You are signed out.',
  password_changed: 'Your password has been changed. Every other browser is signed out.',
  password_reset: 'Your new password is set. Every other browser is signed out.',
  address_confirmed: 'Your email address is confirmed.',
  verification_sent: 'We sent you an email. Open the link in it to confirm your address.',
  verification_logged: `${NO_MAIL_SERVER} Open the link in it to confirm your address.`,
  session_ended: 'That browser is signed out.',
  sessions_ended: 'Every other browser is signed out.',
  application_revoked: 'The application can no longer use your account.',
  key_revoked: 'The API key is revoked.',
  feed_deleted: 'The feed is deleted. Its address no longer works.',
  webhook_changed: 'The change is saved.',
  webhook_on: 'The webhook is on. It gets what happens from now on.',
  webhook_off: 'The webhook is off. Nothing more is sent to it.',
  webhook_tested: 'The test is on its way. It is the first of the deliveries below.',
  webhook_replayed: 'The event is sent again. The new delivery is the first one below.',
  webhook_deleted: 'The webhook is deleted, with the list of what was sent to it.',
  notifications_changed: 'The change is saved.',
  workspace_joined: 'You are now a member of the workspace.',
  workspace_owned: 'You are now the owner of the workspace.',
  invitation_declined: 'You declined the invitation.',
  invitation_gone: 'That invitation was answered before, was withdrawn or has expired. Nothing has changed.',
  invitation_sent: 'The invitation is on its way. It is listed below until it is answered.',
  invitation_logged: `The invitation is listed below until it is answered. ${NO_MAIL_SERVER}`,
  invitation_withdrawn: 'The invitation is withdrawn.',
  member_changed: 'The change is saved.',
  member_removed: 'The member is removed.',
  workspace_created: 'The workspace is ready.',
  workspace_changed: 'The change is saved.',
  workspace_left: 'You have left the workspace.',
  workspace_deleted: 'The workspace is deleted, with everything in it.',
  transfer_offered: 'The offer is on its way. You stay the owner until it is accepted.',
  transfer_logged: `The offer is open. You stay the owner until it is accepted. ${NO_MAIL_SERVER}`,
  transfer_withdrawn: 'The offer is withdrawn. You stay the owner.',
  gone_already: 'This was already done. Nothing has changed.',
  account_plan_changed: 'The account has its new plan.',
  account_locked: 'The account is locked. Nothing of it works any more.',
  account_unlocked: 'The account is unlocked. Everything of it works again.',
  administrator_made: 'The account is an administrator now.',
  administrator_ended: 'The account is no longer an administrator.',
  forecast_canceled: 'The forecast is canceled. Its credits are free again.',
  forecast_ended_before: 'The forecast had already ended, so there was nothing to cancel. Nothing has changed.',
  forecast_reproduced:
    'This is the new forecast. It runs on the same rows and is compared with the first one when it ends.',
  forecast_renamed: 'The forecast has its new name.',
  outcome_recorded: 'The values are recorded. See below how the forecast did.',
  forecast_private: 'The forecast is private now. Only you can see it.',
  forecast_workspace: 'The members of its workspace can see the forecast now.',
  forecast_public: 'The forecast is public now. Anyone with its address can see it.',
  forecast_deleted: 'The forecast is deleted.',
  forecast_saved: 'The forecast is saved. It belongs to your account now.',
  file_uploaded: 'The file is stored. See below how it is read.',
  file_replaced: 'The new file has taken the place of the old one.',
  file_deleted: 'The file is deleted.',
  question_created: 'The question is open. It is resolved when the value is known.',
  filter_created: 'The filter is saved. It is evaluated after each close of the exchange, beginning with the next one.',
  filter_exists: 'You already have this filter. No second one was saved.',
  filter_changed: 'The filter is changed. The change counts from the next session on.',
  filter_deleted: 'The filter is deleted.',
  filter_emails_on: 'Emails about this filter are on.',
  filter_emails_off: 'Emails about this filter are off.',
  emails_off: 'Emails are off for all filters. The filters stay.',
  question_asked: 'The question is open. Revise its probability when you learn something.',
  question_revised: 'The new probability counts from now on. The earlier ones stay in the history.',
  question_resolved: 'The question is resolved, and its probability is scored.',
  question_annulled: 'The question is annulled. It has no score.',
  question_exists: 'You already have this question. No second one was created.',
} as const;

export type Notice = keyof typeof NOTICES;

/** How long a notice is kept: long enough for the redirect that follows. */
const NOTICE_SECONDS = 60;

/** What notices of the account pages are for: the next one of them that shows notices. */
const ACCOUNT_PAGES = '/auth/';

/**
 * Stores a notice in a cookie for the page that shows it. A link on another site could forge a notice in a URL, but not
 * in a cookie.
 *
 * @param address the address of the page, of which only the path counts; without it, an account page shows the notice
 */
export function setNotice({ cookies }: Pick<Visit, 'cookies'>, notice: Notice, address = ACCOUNT_PAGES): void {
  cookies.set('notice', `${notice} ${pathOf(address)}`, NOTICE_SECONDS);
}

/** Returns the text of the notice that is stored for a page and removes it. A notice for another page stays. */
export function takeNotice({ cookies }: Pick<Visit, 'cookies'>, address = ACCOUNT_PAGES): string | null {
  const notice = findNotice(cookies, address);
  if (notice === null) return null;
  cookies.clear('notice');
  return NOTICES[notice];
}

/** Stores the notice for a page for the page that it redirects to. */
export function moveNotice({ cookies }: Pick<Visit, 'cookies'>, from: string, to: string): void {
  const notice = findNotice(cookies, from);
  if (notice !== null) setNotice({ cookies }, notice, to);
}

function findNotice(cookies: CookieJar, address: string): Notice | null {
  const [, notice = '', path] = /^(\w+) (.*)$/s.exec(cookies.get('notice') ?? '') ?? [];
  const isFor = path === pathOf(address) || (path === ACCOUNT_PAGES && pathOf(address) === '/auth/account');
  return isFor && Object.hasOwn(NOTICES, notice) ? (notice as Notice) : null;
}
