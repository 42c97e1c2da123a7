import { formatMoment } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { withReturnTo } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import type { Refusal } from '../refusals.ts';
import type { ConsoleVisit } from '../visit.ts';
import { type Forecast, forecastPath, renderActionPage, renderBack } from './action-visit.ts';
import { isUnfinished } from './cancel.ts';

/** How long the browser of a guest keeps its forecasts. A test compares it with the lifetime of guest sessions. */
export const GUEST_DAYS = 30;

const TITLE = 'Save this forecast';

export const COOKIE_REFUSED =
  'Your browser did not keep the cookie that shows that this forecast is yours. Allow cookies for this site, then try again.';

/** Shows a guest how to save a forecast. */
export function showGuestSaving(forecast: Forecast, isOwn: boolean, status = 200): ConsolePage {
  if (!isOwn || forecast.visibility !== 'private' || forecast.status !== 'completed')
    return showNotSavable(forecast, null, status);
  const refusal = status === 200 ? undefined : { status, message: 'A guest cannot save a forecast. Sign in first.' };
  return renderActionPage({
    title: TITLE,
    forecast,
    refusal,
    body: html`<p>You are a guest: this forecast exists only for this browser, and it is removed ${GUEST_DAYS} days after your first visit. In an account you keep it, share it and follow its score.</p>
${renderPreparing(forecast)}
<p class="hint">You come back here and save it with one click. Use this browser, also for the link in the email.</p>
<p>${renderBack(forecast)}</p>`,
  });
}

/** Renders the two ways from a guest's forecast to an account. */
export function renderPreparing(forecast: Forecast): Html {
  return html`<form method="post" action="${forecastPath(forecast, 'prepare-save')}" class="actions">
<button name="to" value="sign-up">Create an account</button>
<button name="to" value="sign-in" class="quiet">Sign in</button></form>`;
}

/**
 * Shows an account the button that saves a forecast that a guest of this browser made.
 *
 * @param forecast null if only the cookie of the browser names it
 */
export function showReadyToSave(path: string, email: string, forecast: Forecast | null, status = 200): ConsolePage {
  if (forecast !== null && (forecast.status !== 'completed' || forecast.visibility !== 'private'))
    return showNotSavable(forecast, null, status);
  return {
    title: TITLE,
    section: 'forecasts',
    status,
    body: html`<div class="card stack action-page">
<h1>${TITLE}</h1>
${
  forecast === null
    ? html`<p>This browser made a forecast before you signed in. Save it to your account now.</p>`
    : html`<p><strong>${forecast.name}</strong>, made at <time datetime="${forecast.created_at}" data-local>${formatMoment(new Date(forecast.created_at))}</time>, was made in this browser before you signed in. Save it to your account now.</p>`
}
<p>You are signed in as <strong>${email}</strong>.</p>
<form method="post" action="${path}" class="actions"><button>Save it to my account</button></form>
<p class="hint">It then belongs to this account and is no longer removed after ${GUEST_DAYS} days. If this is not your account,
<a href="/auth/account">sign out</a> first.</p>
</div>`,
  };
}

/** Shows that a forecast is already the account's. */
export function showSaved(forecast: Forecast): ConsolePage {
  return renderActionPage({
    title: 'This forecast is in your account',
    forecast,
    body: html`<p>It is saved. There is nothing left to do.</p><p class="actions">${renderBack(forecast, 'Open the forecast')}</p>`,
  });
}

/**
 * Shows why a forecast cannot be saved now.
 *
 * @param forecast null if the visitor may not see it
 * @param refusal what the operation stated; null if the state of the forecast is the reason
 * @param status the status without a refusal
 */
export function showNotSavable(forecast: Forecast | null, refusal: Refusal | null, status = 200): ConsolePage {
  if (forecast === null) {
    return {
      title: 'The forecast was not saved',
      section: 'forecasts',
      failed: true,
      status: refusal?.status ?? status,
      body: html`<div class="card stack action-page"><h1>The forecast was not saved</h1>
<p role="alert">${refusal?.message}</p>
<p class="actions"><a class="button quiet" href="/forecasts">Go to your forecasts</a></p></div>`,
    };
  }
  const page = renderActionPage({
    title: refusal === null ? 'This forecast cannot be saved' : 'The forecast was not saved',
    forecast,
    refusal: refusal ?? undefined,
    body: html`${refusal === null && html`<p>${reasonOf(forecast)}</p>`}
<p class="actions">${renderBack(forecast)}</p>`,
  });
  return refusal === null && status !== 200 ? { ...page, status, failed: true } : page;
}

function reasonOf(forecast: Forecast): string {
  if (isUnfinished(forecast)) return `It is ${forecast.status}. Save it as soon as it has completed.`;
  if (forecast.status === 'failed') return 'It has no result. Only a completed forecast can be saved.';
  return 'It belongs to another account. Reproduce it to get a copy of your own.';
}

/** Shows a visitor without an identity what to do. */
export function showSignInFirst(path: string): ConsolePage {
  return {
    title: TITLE,
    section: 'forecasts',
    failed: true,
    status: 401,
    body: html`<div class="card stack action-page"><h1>${TITLE}</h1>
<p>Sign in to see your forecasts. A forecast that was made without an account can be saved only in the browser that made it: open this page there.</p>
<p class="actions"><a class="button" href="${withReturnTo('/auth/sign-in', path)}">Sign in</a></p></div>`,
  };
}

/** Shows a visitor that nothing in this browser gives access to the forecast. Does not confirm that it exists. */
export function showOtherBrowser({ siteUrl, params }: ConsoleVisit): ConsolePage {
  const address = `${siteUrl}/forecasts/${encodeURIComponent(params.slug ?? '')}/save`;
  return {
    title: 'This browser cannot save this forecast',
    section: 'forecasts',
    failed: true,
    status: 404,
    body: html`<div class="card stack action-page"><h1>This browser cannot save this forecast</h1>
<p role="alert">Either there is no such forecast, or it was made in another browser or by another account.</p>
<p>A forecast that was made without an account can be saved for ${GUEST_DAYS} days, only in the browser that made it. Open this address there:</p>
<pre>${address}</pre>
<p class="actions"><a class="button quiet" href="/forecasts">Go to your forecasts</a></p></div>`,
  };
}
