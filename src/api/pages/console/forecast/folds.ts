import { nameModel } from '../../../../wording/index.ts';
import { drawInPage } from '../../forecast/draw-in-page.ts';
import { formatInteger, formatRatio } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { ForecastView } from './view.ts';
import { drawWindows } from './windows.ts';

/** Renders the folds: where in the past each model had to forecast, and how it did. */
export function renderFolds(view: ForecastView): Html | null {
  const { forecast, formatPeriod } = view;
  const { weighting } = forecast;
  if (weighting === undefined || weighting.folds.length === 0) return null;
  const { folds } = weighting;
  const models = forecast.settings.models.filter((model) => folds.some(({ losses }) => model in losses));
  const at = (timestamp: string) => formatPeriod(new Date(timestamp));
  return html`<section class="card stack" aria-labelledby="folds">
<h2 id="folds">Folds</h2>
<p>Each fold hides a part of the past. The models see only the rows before it and forecast it; the loss states how far off
they were, in the scale in which values are averaged. Smaller is better, and the best of each fold is bold.</p>
${drawInPage((options) => drawWindows(view, options))}
<div class="scroll" role="region" aria-label="Folds and losses" tabindex="0">
<table aria-labelledby="folds">
<thead><tr><th scope="col">Scored rows</th><th scope="col">Trained on</th>${models.map((model) => html`<th scope="col">${nameModel(model)}</th>`)}</tr></thead>
<tbody>${folds.map(({ start_at, end_at, training_rows, losses }) => {
    const best = Math.min(...models.map((model) => losses[model] ?? Number.POSITIVE_INFINITY));
    return html`
<tr><th scope="row">${at(start_at)} – ${at(end_at)}</th><td>${formatInteger(training_rows)} rows</td>${models.map(
      (model) => {
        const loss = losses[model] ?? null;
        return html`<td${loss === best && html` class="middle"`}>${loss === null ? 'no forecast' : formatRatio(loss)}</td>`;
      },
    )}</tr>`;
  })}
</tbody>
</table>
</div>
</section>`;
}
