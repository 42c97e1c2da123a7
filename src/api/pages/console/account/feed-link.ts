import { type Account, isAdministrator, type Principal } from '../../../../access/index.ts';
import { type Html, html } from '../../html.ts';

export const NEW_FEED_PATH = '/auth/account/feeds/new';

/** Returns whether keys and feeds of an account work: both are API access, which is a part of the paid plans. */
export function hasApi(account: Account): boolean {
  return account.plan !== 'free' || isAdministrator(account);
}

/**
 * Renders the link to the form for a feed of a series or a forecast, for visitors that can make one.
 *
 * @param params what names the series or the forecast in the address of the form
 */
export function renderFeedLink(principal: Principal, params: URLSearchParams): Html | null {
  if (principal.kind !== 'account' || !hasApi(principal)) return null;
  return html`<a class="button quiet" href="${NEW_FEED_PATH}?${params.toString()}">Feed for spreadsheets</a>`;
}
