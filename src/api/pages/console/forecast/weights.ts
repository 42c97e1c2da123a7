import { nameModel } from '../../../../wording/index.ts';
import { formatCount, formatRatio, formatShare } from '../../format.ts';
import { Html, html } from '../../html.ts';
import type { ForecastView } from './view.ts';

/** Results of engine 3 and earlier can have `mostly_pretrained`, `inverse_loss` and `greedy_selection`. */
const METHODS: Readonly<Record<string, string>> = {
  equal: 'Every model has the same weight: the folds gave no reason for others.',
  evidence:
    'The weights moved from those before the test on the past toward the models with the smaller losses in the folds.',
  mostly_pretrained:
    'Toto has three fifths, the other models share the rest: no other weights did clearly better in the folds.',
  inverse_loss: 'Models with a smaller loss in the folds have more weight.',
  greedy_selection: 'Models were added one after the other, each time the one that lowered the loss in the folds most.',
  convex_per_quantile:
    'For each quantile, the weights with the smallest loss in the folds were chosen, then moved toward equal weights.',
  default_weights: 'The weights are the default ones: the folds could not choose any.',
  single_model: 'One model has all the weight.',
};

const PRIOR_WEIGHTS =
  'The weights are those that do well on most series of this kind: the folds could not adjust them.';
const FAST_MODE = 'In fast mode, the weights are the default ones: no folds choose others.';
const FAST_MODE_PRIOR =
  'In fast mode, the weights are those that do well on most series of this kind: no folds choose others.';

type Weights = Readonly<Record<string, Readonly<Record<string, number>>>>;
type Weighting = ForecastView['forecast']['weighting'];

function describeMethod(weighting: Weighting): string {
  if (weighting === undefined) return 'The request set the weights.';
  const hasPrior = weighting.spread_weights !== undefined;
  if (weighting.reason === 'fast_mode') return hasPrior ? FAST_MODE_PRIOR : FAST_MODE;
  if (hasPrior && weighting.selected_method === 'default_weights') return PRIOR_WEIGHTS;
  return METHODS[weighting.selected_method] ?? 'The folds chose the weights.';
}

/** Renders the weight of each model at each quantile, beside the weight it had before any fold was scored. */
export function renderWeights({ forecast, levels }: ForecastView): Html | null {
  const { weighting, settings, effective_weights_by_quantile: own } = forecast;
  if (own === undefined) return null;
  const spread = weighting?.spread_weights;
  // The own weights of other quantiles than the median do not act on a pool whose spread has weights of its own.
  const weights = spread === undefined ? own : { ...spread, ...pick(own, levels.median) };
  const before: Weights | undefined = weighting?.status === 'optimized' ? weighting.prior_weights : undefined;
  const stated = spread === undefined ? before : before && pick(before, levels.median);
  const isUnchanged = stated !== undefined && Object.keys(stated).length > 0 && isSame(stated, weights);
  const prior = isUnchanged ? undefined : stated;
  const models = settings.models.filter((model) => Object.values(weights).some((row) => row[model] !== undefined));
  const levelsShown = levels.keys.filter((key) => weights[key] !== undefined);
  const hasPrior = prior !== undefined && Object.keys(prior).length > 0;
  const isAveraged = weighting?.status !== 'single_model';
  const averaged =
    spread === undefined
      ? 'At each quantile, the values of the models are averaged with these weights.'
      : describeSpread(spread, levels.median, levelsShown);
  return html`<section class="card stack" aria-labelledby="weights">
<h2 id="weights">Weights by quantile</h2>
<p>${describeMethod(weighting)}${isAveraged && ` ${averaged}`}</p>
${drawBars(weights, levelsShown, models)}
<div class="scroll" role="region" aria-label="Weights by model and quantile" tabindex="0">
<table aria-labelledby="weights"${hasPrior && html` aria-describedby="prior"`}>
<thead><tr><th scope="col">Model</th>${levelsShown.map((key) => html`<th scope="col">${formatShare(Number(key))}</th>`)}</tr></thead>
<tbody>${models.map(
    (model, index) => html`
<tr><th scope="row"><span class="swatch w${index}" aria-hidden="true"></span>${nameModel(model)}</th>${levelsShown.map(
      (key) =>
        html`<td>${formatShare(weights[key]?.[model] ?? 0, 0)}${prior?.[key] !== undefined && renderPrior(prior[key][model])}</td>`,
    )}</tr>`,
  )}
</tbody>
</table>
</div>
${hasPrior && html`<p class="hint" id="prior">The number below each weight${spread !== undefined && ' of the median'} is the weight before the test on the past${spread !== undefined && ', which did well on other series of this kind'}.</p>`}
${isUnchanged && html`<p class="hint">The weights${spread !== undefined && ' of the median'} were the same before the test on the past, which found no reason to change them.</p>`}
</section>`;
}

/** Returns the weights of one quantile; none if it was not requested. */
function pick(weights: Weights, key: string | null): Weights {
  const row = key === null ? undefined : weights[key];
  return row === undefined ? {} : { [key as string]: row };
}

/** States how medians and spreads are averaged, and whose spread is used at which quantiles. */
function describeSpread(spread: Weights, median: string | null, keys: readonly string[]): string {
  const byModels = new Map<string, string[]>();
  for (const key of keys.filter((one) => one !== median)) {
    const models = Object.entries(spread[key] ?? {}).flatMap(([id, weight]) =>
      weight >= SAME_WEIGHT ? [nameModel(id)] : [],
    );
    const names = LIST.format(models);
    byModels.set(names, [...(byModels.get(names) ?? []), formatShare(Number(key))]);
  }
  const medians =
    median === null
      ? 'The median was not requested; these are the weights of the spread.'
      : `The medians of the models are averaged with the weights at ${formatShare(Number(median))}.`;
  const [usual, ...others] = [...byModels].sort(([, a], [, b]) => b.length - a.length);
  if (usual === undefined) return medians;
  const elsewhere = others.map(([names, at]) => `; at ${LIST.format(at)}, it is ${nameSpread(names)}`).join('');
  return `${medians} The spread around the median is ${nameSpread(usual[0])}${elsewhere}.`;
}

function nameSpread(names: string): string {
  return names.includes(' and ') ? `the weighted average of those of ${names}` : `that of ${names}`;
}

const LIST = new Intl.ListFormat('en');

/** Weights that differ by less look the same. */
const SAME_WEIGHT = 0.005;

/** Returns whether two sets of weights look the same. */
function isSame(one: Weights, other: Weights): boolean {
  return Object.entries(one).every(([key, row]) =>
    Object.entries(row).every(([model, weight]) => Math.abs(weight - (other[key]?.[model] ?? 0)) < SAME_WEIGHT),
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
  const space =
    weighting.pooling_space === 'transformed'
      ? ' Values are averaged as logarithms, because the series grows in proportion.'
      : '';
  // Such a pool starts from the width that suits its frequency, and only the factor from there is known.
  const hasStart = weighting.spread_weights !== undefined;
  const describe = hasStart ? describeFromStart : describeFactor;
  const source = hasStart
    ? `The factors start from the width that suits most series of this kind, and ${formatCount(rows, 'scored row')} of the folds moved them.`
    : `The factors come from ${formatCount(rows, 'scored row')} of the folds.`;
  return html`<section class="card stack" aria-labelledby="calibration">
<h2 id="calibration">Calibration of the spread</h2>
${
  rows === 0
    ? html`<p>${describeStart(lower)}: ${causeOf(weighting.reason)}.${space}</p>`
    : html`<ul class="ticks">
<li>Below the middle, ${describe(lower)}</li>
<li>Above the middle, ${describe(upper)}</li>
</ul>
<p class="hint">${source}${space}</p>`
}
</section>`;
}

/** Describes the factor without any scored row, which is the same on both sides. */
function describeStart(factor: number): string {
  if (Math.abs(factor - 1) < SAME) return 'The spread is as the models state it';
  return `The spread has its starting width, which suits most series of this kind: ${describeChange(factor)} than the models state it`;
}

function causeOf(reason: string | null): string {
  if (reason === 'fast_mode') return 'the fast mode has no folds to correct it';
  if (reason === 'calibration_failed') return 'every model failed in at least one fold that could correct it';
  return 'there were not enough scored rows to correct it';
}

function describeFromStart(factor: number): string {
  return Math.abs(factor - 1) < SAME
    ? 'the spread stays as the models state it.'
    : `the spread is ${describeChange(factor)} than the models state it (times ${formatRatio(factor)}).`;
}

function describeFactor(factor: number): string {
  if (Math.abs(factor - 1) < SAME) return 'the spread was right in the folds and stays as it is.';
  return factor < 1
    ? `the spread was too wide in the folds, so it is ${describeChange(factor)} (times ${formatRatio(factor)}).`
    : `the spread was too narrow in the folds, so it is ${describeChange(factor)} (times ${formatRatio(factor)}).`;
}

function describeChange(factor: number): string {
  return `${formatShare(Math.abs(factor - 1), 0)} ${factor < 1 ? 'narrower' : 'wider'}`;
}
