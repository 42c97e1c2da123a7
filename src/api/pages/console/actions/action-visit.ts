import { randomUUID } from 'node:crypto';
import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { routeNotFound } from '../../../edge/faults.ts';
import { readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { toPageWords } from '../problem-words.ts';
import type { ConsoleVisit } from '../visit.ts';

export type Forecast = Output<Operations['readForecast']>;
export type Allowed = Output<Operations['listForecastActions']>;

/** A forecast as the visitor of one of its pages may see and change it. */
export interface ActionView {
  readonly forecast: Forecast;
  /** The version that `ifMatch` of a change names. */
  readonly etag: string;
  readonly allowed: Allowed;
}

/** Returns the path parameter by which the address of a page names a forecast: its slug or its id. */
export function nameOf({ params }: ConsoleVisit): { readonly forecast_id: string } {
  // The router also matches addresses such as /forecasts//rename.
  if (!params.slug) throw routeNotFound();
  return { forecast_id: params.slug };
}

/** Reads the forecast of a page, and what the visitor may do with it. */
export async function readActionView(visit: ConsoleVisit): Promise<ActionView> {
  const params = nameOf(visit);
  const { data: forecast, etag } = await visit.visitor.callVersioned('readForecast', { params });
  return { forecast, etag, allowed: await visit.visitor.call('listForecastActions', { params }) };
}

/** Returns the address of the page of a forecast, or of one of its actions. */
export function forecastPath({ slug }: Pick<Forecast, 'slug'>, action?: string): string {
  return `/forecasts/${encodeURIComponent(slug)}${action === undefined ? '' : `/${action}`}`;
}

/** Returns the idempotency key of a submitted form. A form without one, made by hand, is not repeated by a browser. */
export function readKey({ form }: ConsoleVisit): string {
  return readField(form, 'key') || randomUUID();
}

/** The statuses of faults that the page of an action explains. All others have a page of their own. */
const EXPLAINED = [400, 403, 409, 412, 422];

/** A fault that the page of an action shows above its form, so that nothing the visitor entered is lost. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Returns how the page of an action explains a fault. Throws any other error again. */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof Fault) || !EXPLAINED.includes(error.status)) throw error;
  return { status: error.status, message: error.message };
}

interface ActionPage {
  readonly title: string;
  readonly forecast: Forecast;
  readonly body: Html;
  readonly refusal?: Refusal | undefined;
}

/** Renders the page of one action, below a path to the forecast. */
export function renderActionPage({ title, forecast, body, refusal }: ActionPage): ConsolePage {
  return {
    title: `${title}: ${forecast.name}`,
    section: 'forecasts',
    status: refusal?.status ?? 200,
    failed: refusal !== undefined,
    body: html`<nav class="crumbs" aria-label="Path"><ul><li><a href="/forecasts">My forecasts</a></li>
<li><a href="${forecastPath(forecast)}">${forecast.name}</a></li></ul></nav>
<div class="card stack action-page">
<h1>${title}</h1>
${
  refusal !== undefined &&
  html`<div class="alert" role="alert" tabindex="-1" autofocus><h2>This did not work</h2><p>${toPageWords(refusal.message)}</p></div>`
}
${body}
</div>`,
  };
}

/** Renders the link that leaves a page without doing anything. */
export function renderBack(forecast: Forecast, label = 'Back to the forecast'): Html {
  return html`<a class="button quiet" href="${forecastPath(forecast)}">${label}</a>`;
}
