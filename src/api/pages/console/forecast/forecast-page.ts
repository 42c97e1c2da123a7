import { html } from '../../html.ts';
import { moveNotice, SeeOther } from '../../visit.ts';
import { readOrOfferSaving } from '../actions/guest-banner.ts';
import { showActions } from '../actions/render-actions.ts';
import type { ConsolePage } from '../document.ts';
import { renderHint } from '../hints.ts';
import type { ConsoleVisit } from '../visit.ts';
import { renderCompleted } from './completed.ts';
import { findCrumb, renderHead } from './head.ts';
import { renderFailed, renderUnfinished } from './unfinished.ts';
import { isRefused, readView } from './view.ts';

/** How often a browser without scripts reads a forecast that is not finished. */
const REFRESH_SECONDS = 3;

const HINT = html`The shade is where outcomes are expected, and it is as wide as the past was uncertain. Read <a href="#audit">Can you trust it?</a> before you use it.`;

/** Shows a forecast to a visitor that may read it: its progress, then its result. */
export async function forecastPage(visit: ConsoleVisit): Promise<ConsolePage | SeeOther> {
  const { visitor, params } = visit;
  const forecast = await readOrOfferSaving(visit);
  if (forecast instanceof SeeOther) return forecast;
  const { slug, name, status } = forecast;
  // One forecast has one address, whichever name of it was asked for.
  if (slug !== params.slug) {
    moveNotice(visit, visit.address, `/forecasts/${slug}`);
    return new SeeOther(`/forecasts/${slug}`);
  }
  const page = { title: name, script: 'forecast', section: 'forecasts' } as const;
  const actions = await showActions(visit, forecast);
  const crumb = await findCrumb(visit, forecast, actions.isOwn);
  if (status === 'completed') {
    const view = await readView(visitor, forecast, visit.now);
    const title = isRefused(view.history) ? null : view.history.title;
    const hint = renderHint(visit, 'forecast', HINT);
    return { ...page, body: html`${renderHead(forecast, crumb, title)}${hint}${renderCompleted(view, actions)}` };
  }
  if (status === 'failed')
    return { ...page, body: html`${renderHead(forecast, crumb)}${renderFailed(forecast)}${actions.shown}` };
  const canGetEmail = actions.isOwn && visitor.principal.kind === 'account';
  return {
    ...page,
    refreshSeconds: REFRESH_SECONDS,
    body: html`${renderHead(forecast, crumb)}${renderUnfinished(forecast, canGetEmail)}${actions.shown}`,
  };
}
