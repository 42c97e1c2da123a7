import { randomUUID } from 'node:crypto';
import type { Operations, Output } from '../../../../contract/index.ts';
import { routeNotFound } from '../../../edge/faults.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderFormPage } from '../form-page.ts';
import type { Refusal } from '../refusals.ts';
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

interface ActionPage {
  readonly title: string;
  readonly forecast: Forecast;
  readonly body: Html;
  readonly refusal?: Refusal | undefined;
  readonly errors?: FieldErrors | undefined;
}

/** Renders the page of one action, below a path to the forecast. */
export function renderActionPage({ title, forecast, body, refusal, errors }: ActionPage): ConsolePage {
  return renderFormPage({
    heading: title,
    title: `${title}: ${forecast.name}`,
    section: 'forecasts',
    crumbs: [
      { href: '/forecasts', label: 'My forecasts' },
      { href: forecastPath(forecast), label: forecast.name },
    ],
    body,
    refusal,
    errors,
  });
}

/**
 * Renders the page of an action that the visitor may not take, with the status that the API gives.
 *
 * @param text which visitors may take it
 */
export function renderNotAllowed(forecast: Forecast, title: string, text: string, refusal?: Refusal): ConsolePage {
  const page = renderActionPage({
    title,
    forecast,
    refusal,
    body: html`<p>${text}</p>
<p class="actions">${renderBack(forecast)}</p>`,
  });
  return { ...page, status: refusal?.status ?? 403, failed: true };
}

/** Renders the link that leaves a page without doing anything. */
export function renderBack(forecast: Forecast, label = 'Back to the forecast'): Html {
  return html`<a class="button quiet" href="${forecastPath(forecast)}">${label}</a>`;
}
