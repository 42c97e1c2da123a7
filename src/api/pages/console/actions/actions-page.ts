import { html } from '../../html.ts';
import type { ConsoleRoute } from '../visit.ts';
import { forecastPath, nameOf } from './action-visit.ts';
import { showActions } from './render-actions.ts';

/** Everything that can be done with a forecast, on a page without its chart. */
export const actionsPage: ConsoleRoute = {
  path: '/forecasts/:slug/actions',

  async get(visit) {
    const forecast = await visit.visitor.call('readForecast', { params: nameOf(visit) });
    return {
      title: `Manage: ${forecast.name}`,
      section: 'forecasts',
      body: html`<nav class="crumbs" aria-label="Path"><ul><li><a href="/forecasts">My forecasts</a></li>
<li><a href="${forecastPath(forecast)}">${forecast.name}</a></li></ul></nav>
<h1>${forecast.name}</h1>
${await showActions(visit, forecast)}`,
    };
  },
};
