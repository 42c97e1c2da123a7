import { nameModel } from '../../forecast/model-names.ts';
import { formatCount } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { dataBlock } from '../document.ts';
import { renderNote } from '../states.ts';
import { againAddress, isCanceled } from './head.ts';
import type { Forecast } from './view.ts';

/**
 * Renders the progress of a forecast. Its models run side by side; the service reports how many are done and the first
 * one that is not. A script updates the list, and browsers without scripts load the page again.
 */
export function renderUnfinished(forecast: Forecast): Html {
  const { status, settings, progress, snapshot, forecast_id } = forecast;
  const { models } = settings;
  const done = progress?.completed_models ?? 0;
  return html`<section class="card stack progress-card" aria-labelledby="progress">
<h2 id="progress">${status === 'queued' ? 'Waiting for a free worker' : 'Fitting the models'}</h2>
<p class="lead" role="status" data-progress-words>${describeProgress(forecast)}</p>
<progress max="${models.length}" value="${done}" aria-label="Models that are done" data-progress-bar></progress>
<ul class="steps" data-models>${models.map(
    (model) => html`
<li data-model="${model}"><span class="tag ${toneOf(model, forecast)}" data-model-state>${stateOf(model, forecast)}</span> ${nameModel(model)}</li>`,
  )}
</ul>
<p class="soft">Each model forecasts ${formatCount(settings.horizon, 'period')} from ${formatCount(snapshot.rows, 'row')}, and
again from several points in the past, where the rows that follow are known. That is what the weights are chosen by.</p>
<noscript><p class="hint">This page loads again every three seconds.</p></noscript>
<p class="hint" data-stream-problem hidden>The connection was interrupted. This page tries again.</p>
</section>
${dataBlock('watch', { id: forecast_id, status, models, names: Object.fromEntries(models.map((model) => [model, nameModel(model)])) })}`;
}

function describeProgress({ status, settings, progress }: Forecast): string {
  if (status === 'queued') return 'The forecast starts as soon as a worker is free.';
  if (settings.models.length === 1) return 'The model is being fitted.';
  return `${progress?.completed_models ?? 0} of ${formatCount(settings.models.length, 'model')} are done.`;
}

type State = 'Done' | 'Running' | 'Waiting';

function stateOf(model: string, { status, settings, progress }: Forecast): State {
  if (status === 'queued' || progress === null) return 'Waiting';
  const current =
    progress.current_model === null ? settings.models.length : settings.models.indexOf(progress.current_model);
  return settings.models.indexOf(model) < current ? 'Done' : 'Running';
}

function toneOf(model: string, forecast: Forecast): string {
  return { Done: 'good', Running: 'info', Waiting: '' }[stateOf(model, forecast)];
}

/** Renders why a forecast has no result, and what to do. */
export function renderFailed(forecast: Forecast): Html {
  const { error } = forecast;
  const again = againAddress(forecast);
  const canceled = isCanceled(forecast);
  const title = canceled ? 'This forecast was canceled' : 'This forecast did not complete';
  const text = canceled ? 'It has no result, and its credits were not used.' : (error?.message ?? 'It has no result.');
  return html`<section class="card stack" aria-labelledby="failed">
<h2 id="failed">${title}</h2>
${renderNote(canceled ? 'warning' : 'bad', text, canceled ? undefined : error?.code)}
${!canceled && html`<p>Its credits were not used. ${error?.retryable ? 'Trying again can succeed.' : 'Trying again with the same settings will fail in the same way: change the models, the rows or the horizon.'}</p>`}
${again !== null && html`<p class="actions"><a class="button" href="${again}">Make it again</a></p>`}
</section>
`;
}
