import { nameModel } from '../../../../wording/index.ts';
import { formatCount } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { partPath } from '../account/frame.ts';
import { dataBlock } from '../document.ts';
import { toPageWords } from '../problem-words.ts';
import { renderNote } from '../states.ts';
import { againAddress, isCanceled } from './head.ts';
import type { Forecast } from './view.ts';

/**
 * Renders the progress of a forecast. Its models run side by side; the service reports how many are done and the first
 * one that is not. A script updates the list, and browsers without scripts load the page again.
 *
 * @param canGetEmail whether the visitor has an account that emails about this forecast can go to
 */
export function renderUnfinished(forecast: Forecast, canGetEmail: boolean): Html {
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
${canGetEmail && html`<p>You need not wait here. <a href="${partPath('notifications')}">Get an email when it is done</a></p>`}
<noscript><p class="hint">This page loads again every three seconds.</p></noscript>
<p class="hint" data-stream-problem hidden>The connection was interrupted. This page tries again.</p>
</section>
${dataBlock('watch', { id: forecast_id, models })}`;
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
  return isCanceled(forecast) ? renderCanceled(forecast) : renderFailure(forecast);
}

function renderCanceled(forecast: Forecast): Html {
  return html`<section class="card stack" aria-labelledby="failed">
<h2 id="failed">This forecast was canceled</h2>
${renderNote('warning', 'It has no result, and its credits were not used.')}
${renderAgain(forecast, 'Make it again')}
</section>
`;
}

function renderFailure(forecast: Forecast): Html {
  const error = forecast.error ?? null;
  const canRetry = error?.retryable === true;
  return html`<section class="card stack" aria-labelledby="failed">
<h2 id="failed">This forecast did not complete</h2>
<div class="note bad">${describeFailure(forecast)}</div>
<p>Its credits were not used. ${canRetry ? 'Trying again can succeed.' : 'Trying again with the same settings will fail in the same way: change the models, the rows or the horizon.'}</p>
${renderAgain(forecast, canRetry ? 'Make it again' : 'Change the settings')}
${error !== null && html`<p class="hint">Error code <code>${error.code}</code></p>`}
</section>
`;
}

/** Renders the link to the form with the same series and settings, or how to repeat a request that it cannot show. */
function renderAgain(forecast: Forecast, label: string): Html {
  const again = againAddress(forecast);
  return again === null
    ? html`<p>Its rows were sent with the request or come from a file, so the form cannot read them. Send the request again, as the <a href="/docs">API documentation</a> describes.</p>`
    : html`<p class="actions"><a class="button" href="${again}">${label}</a></p>`;
}

/** Renders what went wrong. If all models failed, the message has the reason of each: `ets: It did not …`. */
function describeFailure({ error, settings }: Forecast): Html {
  const message = error?.message ?? 'It has no result.';
  if (error?.code !== 'ALL_MODELS_FAILED') return html`<p>${toPageWords(message)}</p>`;
  const starts = settings.models
    .map((model) => ({ model, at: ` ${message}`.indexOf(` ${model}: `) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  if (starts.length === 0) return html`<p><strong>No model could make this forecast.</strong></p><p>${message}</p>`;
  return html`<p><strong>No model could make this forecast.</strong></p>
<ul class="ticks">${starts.map(({ model, at }, index) => {
    const reason = message.slice(at + model.length + 2, starts[index + 1]?.at).trim();
    return html`
<li>${nameModel(model)}: ${inWords(reason)}</li>`;
  })}
</ul>`;
}

/** @example inWords('DID_NOT_CONVERGE.') // did not converge. */
function inWords(reason: string): string {
  return /^[A-Z]+(?:_[A-Z]+)+\.?$/.test(reason) ? reason.toLowerCase().replaceAll('_', ' ') : reason;
}
