import type { Operations, Output } from '../../../../contract/index.ts';
import { type Html, html } from '../../html.ts';
import type { ConsoleVisit } from '../visit.ts';

/** Renders what the visitor of a forecast can do with it. */
export async function showActions(
  _visit: ConsoleVisit,
  { forecast_id, status }: Output<Operations['readForecast']>,
): Promise<Html | null> {
  if (status !== 'completed') return null;
  const path = `/api/v1/ensemble-forecasts/${forecast_id}`;
  return html`<section class="card stack" aria-labelledby="take">
<h2 id="take">Take it with you</h2>
<p class="links"><a class="tap" href="${path}/export?format=csv">Predictions as CSV</a>
<a class="tap" href="${path}/export?format=json">Forecast as JSON</a></p>
</section>`;
}
