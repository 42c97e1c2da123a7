import { Fault } from '../../../../contract/index.ts';
import { readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { SeeOther, setNotice, withReturnTo } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { toRefusal } from '../refusals.ts';
import { type ConsoleRoute, type ConsoleVisit, SendAgain } from '../visit.ts';
import type { Visitor } from '../visitor.ts';
import { type Forecast, nameOf } from './action-visit.ts';
import { renderGuestBanner } from './guest-banner.ts';
import {
  COOKIE_REFUSED,
  showGuestSaving,
  showNotSavable,
  showOtherBrowser,
  showReadyToSave,
  showSaved,
  showSignInFirst,
} from './save-views.ts';

// A forecast of a guest is saved as the contract describes it: the guest prepares, which gives this browser a cookie for
// 15 minutes; then the visitor signs in or signs up; then the save page sends the cookie with the account. The guest
// cookie stays in the browser. A browser that has both can prepare again, so that a cookie that expired while the visitor
// waited for an email costs nothing.

const savePath = (visit: ConsoleVisit): string => `/forecasts/${encodeURIComponent(nameOf(visit).forecast_id)}/save`;

export const savePage: ConsoleRoute = {
  path: '/forecasts/:slug/save',

  async get(visit) {
    const page = await showSaving(visit);
    const others = await renderGuestBanner(visit);
    return { ...page, body: html`${page.body}${others}` };
  },

  async post(visit) {
    const { visitor } = visit;
    if (visitor.principal.kind !== 'account') return showSaving(visit, 403);
    try {
      await visitor.call('saveForecast', { params: nameOf(visit) });
    } catch (error) {
      return prepareAgain(visit, error);
    }
    const address = `/forecasts/${encodeURIComponent(nameOf(visit).forecast_id)}`;
    setNotice(visit, 'forecast_saved', address);
    return new SeeOther(address);
  },
};

export const prepareSavePage: ConsoleRoute = {
  path: '/forecasts/:slug/prepare-save',

  get: async (visit) => new SeeOther(savePath(visit)),

  async post(visit) {
    const { visitor } = visit;
    // Signed in since the form was opened: the save page does the rest.
    if (visitor.principal.kind === 'account') return new SendAgain(savePath(visit));
    if (visitor.principal.kind === 'anonymous') return showSaving(visit, 401);
    try {
      await visitor.call('prepareSaveForecast', { params: nameOf(visit) });
    } catch (error) {
      return showNotSavable(await read(visitor, visit), toRefusal(error));
    }
    const isNew = readField(visit.form, 'to') === 'sign-up';
    return new SeeOther(withReturnTo(isNew ? '/auth/sign-up' : '/auth/sign-in', savePath(visit)));
  },
};

/** Marks the address of the second attempt, after which a browser that refuses the cookie gets an explanation. */
const AGAIN = 'again';

/**
 * Prepares the forecast again with the guest cookie of this browser and lets the browser send the form once more, now
 * with a new cookie.
 *
 * @param error why the forecast was not saved
 */
async function prepareAgain(visit: ConsoleVisit, error: unknown): ReturnType<NonNullable<ConsoleRoute['post']>> {
  const isNotProven = isFault(error, 'OWNERSHIP_REQUIRED') || isFault(error, 'NOT_FOUND');
  if (!isNotProven) return showNotSavable(await readAnywhere(visit), toRefusal(error));
  const guest = await visit.findGuest();
  try {
    await guest?.call('prepareSaveForecast', { params: nameOf(visit) });
  } catch (refused) {
    const found = await readAnywhere(visit);
    if (found !== null && !isFault(refused, 'NOT_FOUND')) return showNotSavable(found, toRefusal(refused));
    return showSaving(visit, 403);
  }
  if (guest === null) return showSaving(visit, 403);
  if (AGAIN in visit.query) return showNotSavable(await readAnywhere(visit), { status: 403, message: COOKIE_REFUSED });
  return new SendAgain(`${savePath(visit)}?${AGAIN}=1`);
}

/** Shows where the saving of a forecast stands, and the next step. @param status the status if it could not be saved */
async function showSaving(visit: ConsoleVisit, status = 200): Promise<ConsolePage> {
  const { visitor, cookies } = visit;
  const { principal } = visitor;
  if (principal.kind === 'anonymous') return showSignInFirst(savePath(visit));
  const own = await read(visitor, visit);
  if (own !== null) {
    const { is_own: isOwn } = await visitor.call('listForecastActions', { params: nameOf(visit) });
    if (principal.kind === 'guest') return showGuestSaving(own, isOwn, status);
    return isOwn ? showSaved(own) : showNotSavable(own, null, status);
  }
  if (principal.kind === 'guest') return showOtherBrowser(visit);
  const guest = await visit.findGuest();
  const ofGuest = guest && (await read(guest, visit));
  if (ofGuest) return showReadyToSave(savePath(visit), principal.email, ofGuest, status);
  // The cookie is enough, even if the guest session has expired or its cookie was removed.
  if (status === 200 && cookies.get('save') !== undefined)
    return showReadyToSave(savePath(visit), principal.email, null);
  return showOtherBrowser(visit);
}

/** Reads the forecast of the page; null if this caller may not see it. */
async function read(visitor: Visitor, visit: ConsoleVisit): Promise<Forecast | null> {
  try {
    return await visitor.call('readForecast', { params: nameOf(visit) });
  } catch (error) {
    if (isFault(error, 'NOT_FOUND')) return null;
    throw error;
  }
}

/** Reads the forecast of the page as the account or, if it is not the account's, as the guest of the browser. */
async function readAnywhere(visit: ConsoleVisit): Promise<Forecast | null> {
  const own = await read(visit.visitor, visit);
  if (own !== null) return own;
  const guest = await visit.findGuest();
  return guest && read(guest, visit);
}

function isFault(error: unknown, code: Fault['code']): boolean {
  return error instanceof Fault && error.code === code;
}
