import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { type Html, html } from '../../html.ts';
import { SeeOther } from '../../visit.ts';
import type { ConsoleVisit } from '../visit.ts';
import { type Forecast, forecastPath, nameOf } from './action-visit.ts';

type Listed = Output<Operations['listForecasts']>['forecasts'][number];

const MAX_SHOWN = 20;

/**
 * Renders the forecasts that this browser made before its visitor signed in, each with a button that saves it. Null if
 * there are none. The forecast that the address names is left out: its page has a button of its own.
 */
export async function renderGuestBanner(visit: ConsoleVisit): Promise<Html | null> {
  const shown = visit.params.slug;
  const listed = await listGuestForecasts(visit);
  const forecasts = listed.filter(({ slug, forecast_id: id }) => slug !== shown && id !== shown);
  if (forecasts.length === 0) return null;
  return html`<section class="card stack" aria-labelledby="before-sign-in">
<h2 id="before-sign-in">From before you signed in</h2>
<p>This browser still has ${forecasts.length === 1 ? 'a forecast that you made' : 'forecasts that you made'} as a guest. Save what you want to keep.</p>
<ul class="list">${forecasts.map(renderOne)}</ul>
</section>`;
}

async function listGuestForecasts(visit: ConsoleVisit): Promise<readonly Listed[]> {
  const guest = await visit.findGuest();
  if (guest === null) return [];
  try {
    return (await guest.call('listForecasts', { query: { limit: MAX_SHOWN } })).forecasts;
  } catch (error) {
    // The limits of the guest must not take the page from the account.
    if (error instanceof Fault) return [];
    throw error;
  }
}

const WAITING: Partial<Record<Listed['status'], string>> = {
  queued: 'Queued. It can be saved when it has completed.',
  running: 'Running. It can be saved when it has completed.',
  failed: 'It has no result and cannot be saved.',
};

function renderOne(forecast: Listed): Html {
  const { name, status } = forecast;
  return html`<li><span>${name}${status !== 'completed' && html`<br><span class="hint">${WAITING[status]}</span>`}</span>${
    status === 'completed' &&
    html`<form method="post" action="${forecastPath(forecast, 'save')}"><button class="quiet" aria-label="Save ${name}">Save</button></form>`
  }</li>`;
}

/**
 * Reads the forecast of a page. If the visitor cannot see it as an account, but made it as a guest in this browser,
 * returns a redirect to its save page instead.
 */
export async function readOrOfferSaving(visit: ConsoleVisit): Promise<Forecast | SeeOther> {
  const params = nameOf(visit);
  try {
    return await visit.visitor.call('readForecast', { params });
  } catch (error) {
    const guest = error instanceof Fault && error.code === 'NOT_FOUND' ? await visit.findGuest() : null;
    const isGuests = await guest?.call('listForecastActions', { params }).then(
      ({ is_own: isOwn }) => isOwn,
      () => false,
    );
    if (!isGuests) throw error;
    return new SeeOther(`/forecasts/${encodeURIComponent(params.forecast_id)}/save`);
  }
}
