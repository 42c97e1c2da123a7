import { nameModel } from '../../../../wording/index.ts';
import { formatCount, formatRatio, formatShare } from '../../format.ts';
import { Html, html } from '../../html.ts';
import type { ForecastView } from './view.ts';

const METHODS: Readonly<Record<string, string>> = {
  equal: 'Every model has the same weight: no other weights did clearly better in the folds.',
  mostly_pretrained:
    'Toto has three fifths, the other models share the rest: no other weights did clearly better in the folds.',
  inverse_loss: 'Models with a smaller loss in the folds have more weight.',
  greedy_selection: 'Models were added one after the other, each time the one that lowered the loss in the folds most.',
  convex_per_quantile:
    'For each quantile, the weights with the smallest loss in the folds were chosen, then moved toward equal weights.',
  default_weights: 'The weights are the default ones: the folds could not choose any.',
  single_model: 'One model has all the weight.',
};

const FAST_MODE = 'In fast mode, the weights are those that do well on most series: no folds choose others.';

type Weights = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Renders the weight of each model at each quantile, beside the weight it had before any fold was scored. */
export function renderWeights({ forecast, levels }: ForecastView): Html | null {
  const weights: Weights | undefined = forecast.effective_weights_by_quantile;
  if (weights === undefined) return null;
  const { weighting, settings } = forecast;
  const stated: Weights | undefined = weighting?.status === 'optimized' ? weighting.prior_weights : undefined;
  const isUnchanged = stated !== undefined && isSame(stated, weights);
  const prior = isUnchanged ? undefined : stated;
  const models = settings.models.filter((model) => Object.values(weights).some((row) => row[model] !== undefined));
  const levelsShown = levels.keys.filter((key) => weights[key] !== undefined);
  const method =
    weighting === undefined
      ? 'The request set the weights.'
      : weighting.reason === 'fast_mode'
        ? FAST_MODE
        : METHODS[weighting.selected_method];
  return html`<section class="card stack" aria-labelledby="weights">
<h2 id="weights">Weights by quantile</h2>
<p>${method ?? 'The folds chose the weights.'} At each quantile, the values of the models are averaged with these weights.</p>
${drawBars(weights, levelsShown, models)}
<div class="scroll" role="region" aria-label="Weights by model and quantile" tabindex="0">
<table aria-labelledby="weights"${prior !== undefined && html` aria-describedby="prior"`}>
<thead><tr><th scope="col">Model</th>${levelsShown.map((key) => html`<th scope="col">${formatShare(Number(key))}</th>`)}</tr></thead>
<tbody>${models.map(
    (model, index) => html`
<tr><th scope="row"><span class="swatch w${index}" aria-hidden="true"></span>${nameModel(model)}</th>${levelsShown.map(
      (key) =>
        html`<td>${formatShare(weights[key]?.[model] ?? 0, 0)}${prior !== undefined && renderPrior(prior[key]?.[model])}</td>`,
    )}</tr>`,
  )}
</tbody>
</table>
</div>
${prior !== undefined && html`<p class="hint" id="prior">The number below each weight is the weight before the test on the past.</p>`}
${isUnchanged && html`<p class="hint">The weights were the same before the test on the past, which found no reason to change them.</p>`}
</section>`;
}

/** Returns whether two sets of weights look the same. */
function isSame(one: Weights, other: Weights): boolean {
  return Object.entries(one).every(([key, row]) =>
    Object.entries(row).every(([model, weight]) => Math.abs(weight - (other[key]?.[model] ?? 0)) < 0.005),
  );
}

function renderPrior(weight: number | undefined): Html {
  return html`<br><span class="hint"><span class="away">before the test </span>${weight === undefined ? '–' : formatShare(weight, 0)}</span>`;
}

const BAR = { width: 1000, height: 26, gap: 8 };

/** Draws one stacked bar for each quantile. The table beside it has the numbers, so readers of the table skip it. */
function drawBars(weights: Weights, keys: readonly string[], models: readonly string[]): Html {
  const bars = keys.map((key, row) => {
    let x = 0;
    const parts = models.map((model, index) => {
      const width = (weights[key]?.[model] ?? 0) * BAR.width;
      const part =
        width < 0.5
          ? ''
          : `<rect class="w${index}" x="${round(x)}" y="${row * (BAR.height + BAR.gap)}" width="${round(Math.max(0.5, width - 2))}" height="${BAR.height}"/>`;
      x += width;
      return part;
    });
    return parts.join('');
  });
  const height = keys.length * (BAR.height + BAR.gap) - BAR.gap;
  const svg = `<svg viewBox="0 0 ${BAR.width} ${height}" preserveAspectRatio="none" aria-hidden="true" focusable="false">${bars.join('')}</svg>`;
  return html`<div class="weights" aria-hidden="true"><ul>${keys.map((key) => html`<li>${formatShare(Number(key))}</li>`)}</ul>${new Html(svg)}</div>
<ul class="legend" aria-hidden="true">${models.map((model, index) => html`<li><span class="swatch w${index}"></span>${nameModel(model)}</li>`)}</ul>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** A factor this close to 1 changes nothing that can be seen. */
const SAME = 0.005;

/** Renders how the spread was widened or narrowed, in words. */
export function renderCalibration({ forecast: { weighting } }: ForecastView): Html | null {
  if (weighting === undefined) return null;
  const { lower, upper, rows } = weighting.calibration;
  const cause = weighting.reason === 'fast_mode' ? 'the fast mode has no folds' : 'there were not enough scored rows';
  const space =
    weighting.pooling_space === 'transformed'
      ? ' Values are averaged as logarithms, because the series grows in proportion.'
      : '';
  return html`<section class="card stack" aria-labelledby="calibration">
<h2 id="calibration">Calibration of the spread</h2>
${
  rows === 0
    ? html`<p>The spread is as the models state it: ${cause} to correct it.${space}</p>`
    : html`<ul class="ticks">
<li>Below the middle, ${describeFactor(lower)}</li>
<li>Above the middle, ${describeFactor(upper)}</li>
</ul>
<p class="hint">The factors come from ${formatCount(rows, 'scored row')} of the folds.${space}</p>`
}
</section>`;
}

function describeFactor(factor: number): string {
  if (Math.abs(factor - 1) < SAME) return 'the spread was right in the folds and stays as it is.';
  const change = formatShare(Math.abs(factor - 1), 0);
  return factor < 1
    ? `the spread was too wide in the folds, so it is ${change} narrower (times ${formatRatio(factor)}).`
    : `the spread was too narrow in the folds, so it is ${change} wider (times ${formatRatio(factor)}).`;
}
