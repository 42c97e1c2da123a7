import { renderFacts } from '../facts.ts';
import { describeSource } from '../forecast/describe-source.ts';
import { renderKnownRows } from '../forecast/known-rows.ts';
import { formatCount, formatInteger, formatMoment, formatShare } from '../format.ts';
import { type Html, html } from '../html.ts';
import { citeForecast, embedForecast } from '../sharing.ts';
import { creditsOf, unitsOf } from './describe-source.ts';
import type { ForecastView } from './forecast-view.ts';
import { renderReceipt } from './receipt.ts';

/** Renders how a forecast was made: its source, its settings and its models. */
export function renderMaking(view: ForecastView): Html {
  const { forecast, about, subject, history } = view.published;
  const { settings, created_at, result } = forecast;
  const { title, publisher, license } = creditsOf(about);
  return html`<section class="card stack" aria-labelledby="made">
<h2 id="made">How it was made</h2>
${renderFacts('facts', [
  ['Forecast of', subject],
  ['Series', title],
  ['Source', describeSource(settings.source)],
  ['Units', unitsOf(about) ?? null],
  ['Published by', publisher],
  ['License of the data', license],
  ['Made at', formatMoment(created_at)],
  [
    'Cutoff',
    settings.cutoff === null ? null : html`Only rows ${renderKnownRows(settings.cutoff, settings.cadence)} were read`,
  ],
  ['Rows', history === null ? null : formatInteger(history.timestamps.length)],
  ['Mode', settings.mode === 'fast' ? 'Fast, without folds' : null],
  ['Models', result === null ? settings.models.join(', ') : describeModels(view)],
  ['Test on its own past', result === null ? null : describeValidation(view)],
])}
</section>`;
}

/** Names each model with its weight at the median; without a median, at the lowest level. */
function describeModels({ published, levels }: ForecastView): string {
  const { result, settings } = published.forecast;
  const weights = result?.effective_weights_by_quantile[levels.median ?? levels.keys[0] ?? ''] ?? {};
  const names = settings.models.map((model) => {
    const weight = weights[model] ?? 0;
    return `${model} (${weight > 0 ? formatShare(weight, 0) : 'not used'})`;
  });
  return names.join(', ');
}

function describeValidation({ published, levels, formatValue }: ForecastView): string {
  const validation = published.forecast.result?.historical_validation;
  const { metrics } = validation ?? {};
  if (!metrics || metrics.count === 0) return 'The series was too short for a test.';
  const { interval } = levels;
  const share = interval === null ? undefined : metrics.coverage[String(interval.share)];
  const parts = [
    metrics.mae === null ? null : `the middle was off by ${formatValue(metrics.mae)} on average`,
    share === undefined || interval === null
      ? null
      : `${formatShare(share, 0)} of the values lay inside the ${formatShare(interval.share)} range`,
  ].filter((part) => part !== null);
  return `On the last ${formatCount(metrics.count, 'row')}, which the models had not seen, ${parts.join(' and ')}.`;
}

/** Renders how anyone can check when the forecast was made and that it was not changed. */
export function renderChecking({ published }: ForecastView): Html {
  const { forecast, receipt } = published;
  return html`<section class="card stack" aria-labelledby="check">
<h2 id="check">Check it</h2>
<p>The proof is a file with the result, the settings and the hash of the rows. Its content id changes with every digit.</p>
${renderReceipt(forecast.content_cid, receipt)}
<p class="links"><a class="tap" href="/forecasts/${forecast.slug}/proof.json">Download the proof</a>
<a class="tap" href="/verify">Verify a proof</a></p>
</section>`;
}

/** Renders how to cite, embed and read the forecast. */
export function renderSharing({ published }: ForecastView, siteUrl: string): Html {
  const { forecast, name } = published;
  const { slug, created_at: madeAt, content_cid: contentCid, result } = forecast;
  return html`<section class="card stack" aria-labelledby="share">
<h2 id="share">Cite and share</h2>
<div><p class="label">Cite</p>
<pre>${citeForecast({ name, slug, madeAt, contentCid }, siteUrl)}</pre></div>${
    result !== null &&
    html`
<div><p class="label">Embed</p>
<pre>${embedForecast(forecast, siteUrl)}</pre></div>`
  }
<p class="links">${
    result !== null &&
    html`<a class="tap" href="/forecasts/${slug}/chart.svg">Chart as SVG</a>
<a class="tap" href="/forecasts/${slug}/chart.png">Chart as PNG</a>
`
  }<a class="tap" href="/docs/">Documentation of the API</a></p>
<p class="hint">With a credential, programs read the same forecast at <code>/api/v1/ensemble-forecasts/${slug}</code>.</p>
</section>`;
}
