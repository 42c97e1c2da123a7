import { nameModel } from '../../../../wording/index.ts';
import { formatShare } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { Forecast, ForecastView } from './view.ts';

type Member = NonNullable<Forecast['members']>[number];

const STATES = {
  completed: ['good', 'In the pool'],
  failed: ['bad', 'Failed'],
  left_out: ['warning', 'Left out'],
} as const;

/** Nothing went wrong with a model that does not help on series of this kind. */
const NOT_FITTED = ['info', 'Not fitted'] as const;

const REASONS: Readonly<Record<string, string>> = {
  failed: 'It could not forecast from the end of the series.',
  failed_in_calibration: 'It failed in at least one fold, and another model did not.',
  exploded_in_calibration: 'Its loss in the folds was more than ten times that of the usual model.',
  not_fitted_here: 'It does not lower the errors on series like this one, so it was not fitted and cost nothing.',
};

/** Renders the member models: which take part, which do not and why, and what each of them forecasts. */
export function renderMembers(view: ForecastView): Html | null {
  const { forecast, levels, formatValue, formatPeriod } = view;
  const { members = [], effective_weights_by_quantile: weights = {}, checkpoints } = forecast;
  if (members.length === 0) return null;
  const middle = levels.median ?? levels.keys[Math.floor(levels.keys.length / 2)] ?? '';
  const last = forecast.predictions.at(-1);
  const at = last === undefined ? '' : formatPeriod(new Date(last.timestamp));
  return html`<section class="card stack" aria-labelledby="members">
<h2 id="members">Models</h2>
<div class="scroll" role="region" aria-label="Models, weights and checkpoints" tabindex="0">
<table aria-labelledby="members">
<thead><tr><th scope="col">Model</th><th scope="col">State</th><th scope="col">Weight at ${formatShare(Number(middle))}</th><th scope="col">Its own ${formatShare(Number(middle))}, ${at}</th><th scope="col" class="words">Checkpoint</th></tr></thead>
<tbody>${members.map((member) => {
    const isFitted = member.reason !== 'not_fitted_here';
    const [tone, word] = isFitted ? STATES[member.status] : NOT_FITTED;
    const own = member.predictions.at(-1)?.quantiles[middle];
    return html`
<tr><th scope="row">${nameModel(member.model)}</th><td><span class="tag ${tone}">${word}</span></td><td>${isFitted ? formatShare(weights[middle]?.[member.model] ?? 0, 0) : '–'}</td><td>${own === undefined ? '–' : formatValue(own)}</td><td class="words"><code>${member.checkpoint || checkpoints[member.model] || '–'}</code></td></tr>`;
  })}
</tbody>
</table>
</div>
${members.filter(isExplained).map((member) => html`<p><strong>${nameModel(member.model)}:</strong> ${explain(member)}</p>`)}
${renderOwn(view, members, middle)}
</section>`;
}

function isExplained({ status, error }: Member): boolean {
  return status !== 'completed' || error !== null;
}

function explain({ reason, error }: Member): string {
  const why = reason === null ? 'It failed in one of the windows.' : (REASONS[reason] ?? reason);
  return error === null ? why : `${why} ${error.message} (${error.code})`;
}

/** Renders the middle of each model by step, before pooling and calibration. */
function renderOwn(
  { forecast, formatValue, formatPeriod }: ForecastView,
  members: readonly Member[],
  middle: string,
): Html | null {
  const shown = members.filter(({ predictions }) => predictions.length > 0);
  if (shown.length < 2) return null;
  return html`<details><summary>What each model forecasts on its own</summary>
<p class="hint" id="own-middle">The ${formatShare(Number(middle))} quantile of each model, before averaging and calibration.</p>
<div class="scroll tall" role="region" aria-label="Forecasts of the models" tabindex="0">
<table aria-label="Forecasts of the models" aria-describedby="own-middle">
<thead><tr><th scope="col">Period</th>${shown.map(({ model }) => html`<th scope="col">${nameModel(model)}</th>`)}<th scope="col">Ensemble</th></tr></thead>
<tbody>${forecast.predictions.map(
    ({ timestamp, quantiles }, step) => html`
<tr><th scope="row">${formatPeriod(new Date(timestamp))}</th>${shown.map(({ predictions }) => {
      const value = predictions[step]?.quantiles[middle];
      return html`<td>${value === undefined ? '–' : formatValue(value)}</td>`;
    })}<td class="middle">${formatValue(Number(quantiles[middle]))}</td></tr>`,
  )}
</tbody>
</table>
</div>
</details>`;
}
