import { drawForecastChart } from '../../../charts/index.ts';
import type { PublicForecast } from '../../../forecasts/index.ts';
import { renderFacts } from '../facts.ts';
import { drawInPage } from '../forecast/draw-in-page.ts';
import { describeLastStep, renderLastStep } from '../forecast/lead.ts';
import { formatDay, formatMoment, formatShare } from '../format.ts';
import { type Html, html } from '../html.ts';
import { unitsOf } from './describe-source.ts';
import { renderEmbedded, renderPublicDocument } from './document.ts';
import { chartOf } from './forecast-chart.ts';
import { renderChecking, renderMaking, renderSharing } from './forecast-facts.ts';
import { renderPublicNumbers, renderPublicOutcome } from './forecast-numbers.ts';
import { type ForecastView, viewOf } from './forecast-view.ts';

/** Renders the page of a forecast. @param siteUrl the public origin of the service */
export function renderForecastPage(published: PublicForecast, siteUrl: string): string {
  const { forecast, name } = published;
  const view = viewOf(published);
  const url = `${siteUrl}/forecasts/${forecast.slug}`;
  const chart = chartOf(published);
  return renderPublicDocument({
    title: name,
    kind: 'Forecast',
    description: summarize(view),
    preview: { url, image: chart && `${url}/chart.png` },
    body: html`<article>
<div class="card stack">
<h1>${name}</h1>
<p class="lead">${renderLead(view)}</p>${
      chart !== null &&
      html`
${drawInPage((options) => drawForecastChart(chart, options))}
${published.history === null && html`<p class="hint">The rows that this forecast was made from are not public.</p>`}
${renderTiles(view)}`
    }
</div>
${chart !== null && renderPublicOutcome(view)}
${chart !== null && renderPublicNumbers(view)}
<div class="columns">
${renderMaking(view)}
${chart !== null && renderChecking(view)}
</div>
${renderSharing(view, siteUrl)}
</article>`,
  });
}

/** Renders the chart of a forecast for a frame on another site. */
export function renderForecastEmbed(published: PublicForecast): string {
  const { forecast, name } = published;
  const chart = chartOf(published);
  const view = viewOf(published);
  return renderEmbedded({
    title: name,
    body: html`<h1>${name}</h1>
${chart === null ? html`<p>${summarize(view)}</p>` : drawInPage((options) => drawForecastChart(chart, options))}
<p class="foot"><span>Made on ${formatDay(forecast.created_at)}</span><a class="tap" href="/forecasts/${forecast.slug}" target="_blank" rel="noopener">Numbers and proof on Almanac</a></p>`,
  });
}

const UNFINISHED = {
  queued: 'This forecast is waiting to be computed. Open the page again in a few minutes.',
  running: 'This forecast is being computed. Open the page again in a few minutes.',
  failed: 'This forecast did not complete, so there is no result.',
} as const;

/** Returns the forecast in one sentence. */
function summarize(view: ForecastView): string {
  const { status, result } = view.published.forecast;
  if (status !== 'completed') return UNFINISHED[status];
  return describeLastStep(view, result?.predictions.at(-1), unitsOf(view.published.about));
}

function renderLead(view: ForecastView): string | Html[] {
  const { status, result } = view.published.forecast;
  if (status !== 'completed') return UNFINISHED[status];
  return renderLastStep(view, result?.predictions.at(-1), unitsOf(view.published.about));
}

function renderTiles({ published, formatValue, formatPeriod, levels }: ForecastView): Html {
  const { forecast, history, outcome } = published;
  const last = forecast.result?.predictions.at(-1);
  const known = outcome?.rows.at(-1);
  const { interval } = levels;
  const row = history === null ? -1 : history.values.findLastIndex(Number.isFinite);
  const origin = history === null || row < 0 ? null : formatValue(history.values[row] as number);
  return renderFacts('tiles', [
    [
      'Made on',
      html`<time datetime="${forecast.created_at.toISOString()}" title="${formatMoment(forecast.created_at)}">${formatDay(forecast.created_at)}</time>`,
    ],
    ['Last known value then', origin],
    ['Covers', published.horizon],
    [
      last === undefined || interval === null
        ? ''
        : `${formatShare(interval.share)} range, ${formatPeriod(new Date(last.timestamp))}`,
      last === undefined || interval === null
        ? null
        : `${formatValue(Number(last.quantiles[interval.low]))} – ${formatValue(Number(last.quantiles[interval.high]))}`,
    ],
    [
      known === undefined ? '' : `Actual, ${formatPeriod(known.timestamp)}`,
      known === undefined ? null : formatValue(known.actual),
    ],
  ]);
}
