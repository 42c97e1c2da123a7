import { barEnd } from '../../../../calendar/index.ts';
import { drawForecastChart, type ForecastChart } from '../../../../charts/index.ts';
import { type Audit, describeAudit } from '../../../../wording/index.ts';
import { renderFacts } from '../../facts.ts';
import { drawInPage } from '../../forecast/draw-in-page.ts';
import { cadenceOf } from '../../forecast/known-rows.ts';
import { describeLastStep, renderLastStep } from '../../forecast/lead.ts';
import { renderNumbers } from '../../forecast/numbers.ts';
import { renderOutcome } from '../../forecast/outcome.ts';
import { formatCount, formatShare } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { forecastPath } from '../actions/action-visit.ts';
import type { ShownActions } from '../actions/render-actions.ts';
import { renderNote } from '../states.ts';
import { chartBlock } from './chart-block.ts';
import { renderFolds } from './folds.ts';
import { renderMaking, renderReproduction } from './making.ts';
import { renderMembers } from './members.ts';
import { type ForecastView, isRefused } from './view.ts';
import { renderCalibration, renderWeights } from './weights.ts';

/** Renders a completed forecast: the result, its audit, then everything that it was made of. */
export function renderCompleted(view: ForecastView, { shown: actions, canChange }: ShownActions): Html {
  const audit = describeAudit(view);
  return html`<article class="forecast">
${renderReproduction(view)}
<section class="card stack" aria-labelledby="result">
<h2 class="away" id="result">Result</h2>
<p class="lead">${renderLastStep(view, view.forecast.predictions.at(-1), view.units)}</p>
${renderFigure(view)}
${renderTiles(view)}
</section>
<div class="trust">
${renderAudit(audit)}
${renderKnown(view, canChange)}
</div>
${actions}
${renderNumbers(view, view.forecast.predictions, isRefused(view.outcome) ? [] : view.outcome.rows, { maxOpenRows: 12 })}
${renderWeights(view)}
${renderCalibration(view)}
${renderFolds(view)}
${renderMembers(view)}
${renderMaking(view)}
</article>`;
}

/** Renders the chart with the sentence that states what it shows. A script makes it interactive. */
function renderFigure(view: ForecastView): Html {
  const chart = chartOf(view);
  return html`<figure class="fan" data-fan>
${drawInPage((options) => drawForecastChart(chart, options))}
<figcaption id="fan-words">${describeFigure(view)}</figcaption>
</figure>
${isRefused(view.history) && html`<p class="hint">The rows that this forecast was made from are not shown. ${view.history.refused}</p>`}
${chartBlock(view)}`;
}

function describeFigure(view: ForecastView): string {
  const { history, forecast, period, levels } = view;
  const { interval } = levels;
  const past = isRefused(history) ? '' : `The line is the history of ${formatCount(forecast.snapshot.rows, 'row')}. `;
  const fan = interval === null ? 'The line in the middle' : 'The shaded fan';
  const shares = levels.keys
    .map(Number)
    .filter((level) => level < 0.5 && levels.keys.some((key) => Math.abs(Number(key) - (1 - level)) < 1e-9))
    .map((level) => formatShare(1 - 2 * level));
  const bands = interval === null ? '' : ` with intervals of ${shares.join(' and ')}`;
  const rows = isRefused(view.outcome) ? [] : view.outcome.rows;
  const hollow = rows.some(({ replayed }) => replayed)
    ? ' Values with a hollow dot were known when the forecast was made.'
    : '';
  const known = rows.length === 0 ? '' : ` The orange line with dots is what happened.${hollow}`;
  return `${past}${fan} is the forecast of the next ${formatCount(forecast.predictions.length, period)}${bands}. ${describeLastStep(view, forecast.predictions.at(-1), view.units)}${known}`;
}

/** Returns what the chart of a forecast shows. */
export function chartOf({ forecast, history, outcome, units }: ForecastView): ForecastChart {
  const rows = isRefused(history) ? [] : history.rows;
  return {
    title: forecast.name,
    units,
    history: {
      timestamps: rows.map(({ timestamp }) => Date.parse(timestamp)),
      values: rows.map(({ value }) => value ?? Number.NaN),
    },
    predictions: forecast.predictions.map(({ timestamp, quantiles }) => ({
      timestamp: Date.parse(timestamp),
      quantiles,
    })),
    outcome: (isRefused(outcome) ? [] : outcome.rows).map(({ timestamp, actual, replayed }) => ({
      timestamp: Date.parse(timestamp),
      actual,
      replayed,
    })),
  };
}

function renderTiles(view: ForecastView): Html {
  const { forecast, history, outcome, levels, formatValue, formatPeriod, period } = view;
  const last = forecast.predictions.at(-1);
  const { interval, median } = levels;
  const origin = isRefused(history) ? undefined : history.rows.findLast(({ value }) => value !== null);
  const known = isRefused(outcome) ? undefined : outcome.rows.at(-1);
  const change =
    origin?.value && median !== null && last !== undefined ? Number(last.quantiles[median]) / origin.value - 1 : null;
  return renderFacts('tiles', [
    [
      origin ? `Last known, ${formatPeriod(new Date(origin.timestamp))}` : '',
      origin ? formatValue(origin.value ?? Number.NaN) : null,
    ],
    ['Covers', formatCount(forecast.predictions.length, period)],
    [
      last ? `Middle, ${formatPeriod(new Date(last.timestamp))}` : '',
      last === undefined || median === null
        ? null
        : html`${formatValue(Number(last.quantiles[median]))}${change !== null && Number.isFinite(change) && html` <span class="soft">${change < 0 ? '−' : '+'}${formatShare(Math.abs(change))}</span>`}`,
    ],
    [
      last && interval ? `${formatShare(interval.share)} interval` : '',
      last === undefined || interval === null
        ? null
        : `${formatValue(Number(last.quantiles[interval.low]))} – ${formatValue(Number(last.quantiles[interval.high]))}`,
    ],
    [known ? `Actual, ${formatPeriod(new Date(known.timestamp))}` : '', known ? formatValue(known.actual) : null],
  ]);
}

/** Renders how good the forecast was on rows that it had not seen, and every reason to trust it less. */
function renderAudit({ headline, details, warnings, verdict }: Audit): Html {
  const tag = { better: ['good', 'Better than equal weights'], worse: ['bad', 'Worse than equal weights'] } as const;
  const shown = verdict === 'better' || verdict === 'worse' ? tag[verdict] : null;
  return html`<section class="card stack audit" aria-labelledby="audit">
<div class="card-head"><h2 id="audit">Can you trust it?</h2>${shown && html`<span class="tag ${shown[0]}">${shown[1]}</span>`}</div>
${headline !== null && html`<p class="lead">${headline}</p>`}
${warnings.map(({ title, text }) => renderNote('warning', text, title))}
${details.length > 0 && html`<ul class="ticks">${details.map((detail) => html`<li>${detail}</li>`)}</ul>`}
</section>`;
}

function renderKnown(view: ForecastView, canChange: boolean): Html | null {
  const { outcome, forecast, now } = view;
  if (isRefused(outcome)) {
    return html`<section class="card stack" aria-labelledby="outcome"><h2 id="outcome">Outcome</h2>
<p>${outcome.refused}</p></section>`;
  }
  const type = forecast.settings.source?.type ?? 'inline';
  const last = forecast.predictions.at(-1);
  const readAt = outcome.next_check_at === null ? null : new Date(outcome.next_check_at);
  return renderOutcome(view, forecast.predictions, {
    ...outcome,
    scores: outcome.count > 0 ? outcome : null,
    isCollected: type !== 'inline' && type !== 'workspace_csv',
    isHidden: false,
    isOver: last !== undefined && barEnd(cadenceOf(forecast.settings), Date.parse(last.timestamp)) <= now.getTime(),
    readAt: readAt !== null && readAt > now ? readAt : 'due',
    ...(canChange && { enterAt: forecastPath(forecast, 'outcome') }),
  });
}
