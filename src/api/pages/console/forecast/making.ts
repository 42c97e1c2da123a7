import { nameModel } from '../../../../wording/index.ts';
import { renderFacts } from '../../facts.ts';
import { describeSource } from '../../forecast/describe-source.ts';
import { cadenceOf, renderKnownRows } from '../../forecast/known-rows.ts';
import { formatCount, formatMoment, formatRatio, formatShare } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderNote } from '../states.ts';
import { renderTerm } from '../terms.ts';
import { type ForecastView, isRefused } from './view.ts';

const POLICIES = {
  rolling_pinball_v1: 'The best weights in the folds',
  rolling_loss_selection_v2: 'A start that suits such series, moved by the folds',
} as const;

const TRANSFORMS = { auto: 'Chosen from the rows', none: 'None', log: 'Logarithm' } as const;

/** Renders the settings, the rows and everything else that the digits of a forecast depend on. */
export function renderMaking({ forecast, history, period, units }: ForecastView): Html {
  const { settings, snapshot, season, fingerprint, request, weight_mode, started_at, finished_at } = forecast;
  const about = isRefused(history) ? null : history;
  return html`<section class="card stack" aria-labelledby="made">
<h2 id="made">How it was made</h2>
${renderFacts('facts', [
  ['Series', about?.title ?? null],
  ['Source', describeSource(settings.source)],
  ['Units', units ?? null],
  ['Published by', about?.publisher ?? null],
  ['License of the data', about?.license ?? null],
  [renderTerm('horizon', 'Horizon'), formatCount(settings.horizon, period)],
  [renderTerm('quantile', 'Quantiles'), settings.quantiles.map((level) => formatShare(level)).join(', ')],
  ['Mode', settings.mode === 'fast' ? 'Fast, without folds' : null],
  ['Models', settings.models.map(nameModel).join(', ')],
  ['Not fitted', settings.not_fitted_models?.map(nameModel).join(', ') ?? null],
  [
    renderTerm('weight', 'Weights'),
    weight_mode === 'manual'
      ? 'Set by the request'
      : settings.mode === 'fast'
        ? 'Those that do well on most series'
        : html`${POLICIES[settings.weighting_policy]} <span class="hint"><code>${settings.weighting_policy}</code></span>`,
  ],
  ['Transform', TRANSFORMS[settings.transform]],
  ['Season', season === undefined ? null : season === 1 ? 'None was found' : formatCount(season, period)],
  ['Seed', String(settings.seed)],
  [
    renderTerm('cutoff', 'Cutoff'),
    settings.cutoff === null
      ? null
      : html`Only rows ${renderKnownRows(settings.cutoff, cadenceOf(settings))} were read`,
  ],
  [
    renderTerm('vintage', 'Vintage'),
    settings.as_known_at_cutoff ? 'The rows are those that were known at the cutoff' : null,
  ],
  [
    'Computed',
    finished_at === null
      ? null
      : html`${renderMoment(finished_at)}${started_at !== null && ` in ${formatSeconds(started_at, finished_at)}`}`,
  ],
  [renderTerm('snapshot', 'Snapshot'), html`<code>${snapshot.id}</code>, ${formatCount(snapshot.rows, 'row')}`],
  ['SHA-256 of the rows', html`<code>${snapshot.sha256}</code>`],
])}
${snapshot.removed_at !== undefined && renderNote('warning', html`The rows were removed at ${renderMoment(snapshot.removed_at)}, so the forecast cannot be reproduced.`)}
<details><summary>Checkpoints and fingerprint</summary>
<p class="soft">Machines with the same fingerprint compute the same digits from the same request.</p>
${renderFacts(
  'facts',
  Object.entries(forecast.checkpoints).map(([model, id]) => [nameModel(model), html`<code>${id}</code>`] as const),
)}
${
  fingerprint !== null &&
  renderFacts(
    'facts',
    Object.entries(fingerprint).map(
      ([name, value]) =>
        [
          name.replaceAll('_', ' '),
          html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`,
        ] as const,
    ),
  )
}
</details>
<details><summary>The request</summary>
<pre>${JSON.stringify(request, null, 2)}</pre>
</details>
</section>`;
}

function renderMoment(instant: string): Html {
  return html`<time datetime="${instant}" data-local>${formatMoment(new Date(instant))}</time>`;
}

function formatSeconds(from: string, to: string): string {
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1_000);
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} seconds`;
}

/** Renders how a reproduction compares with its original. */
export function renderReproduction({ forecast: { reproduces, comparison } }: ForecastView): Html | null {
  if (reproduces === null && comparison === null) return null;
  const repeats =
    reproduces === null
      ? 'This forecast repeats one that has since been deleted'
      : html`This forecast repeats <a href="/forecasts/${reproduces}">another forecast</a>`;
  if (comparison === null)
    return renderNote('info', html`${repeats}. The original has no result to compare with.`, 'A reproduction');
  const { outcome, largest_difference: difference } = comparison;
  const size =
    difference === null
      ? ''
      : ` The largest difference is ${formatRatio(difference)} standard deviations of the series.`;
  if (outcome === 'exact')
    return renderNote('good', html`${repeats}, and every digit of its result is the same.`, 'Reproduced exactly');
  if (outcome === 'within_tolerance')
    return renderNote(
      'good',
      html`${repeats}. The method is the same, and the values agree within the tolerance.${size}`,
      'Reproduced within the tolerance',
    );
  return renderNote(
    'bad',
    html`${repeats}, and its result is different.${size} Compare the fingerprints of both: another engine version or processor can be the reason.`,
    'The reproduction differs',
  );
}
