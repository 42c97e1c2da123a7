import { chartTable, drawForecastChart, type ForecastChart } from '../../../../charts/index.ts';
import { countInside } from '../../../../wording/index.ts';
import { formatCount, formatShare } from '../../format.ts';
import { Html, html } from '../../html.ts';
import type { Replay } from './read-replays.ts';

/** Small enough for a phone; wider cards enlarge it. */
const SIZE = { width: 400, height: 300 };

/** How a replay is shown: under which heading, and with which id. */
interface ShownReplay {
  readonly replay: Replay;
  /** The last day that it knew. */
  readonly heading: string;
  /** How long ago that is, or that it is the forecast itself. */
  readonly note: string;
  readonly id: string;
  readonly units: string | null;
}

/** Renders the card of a replay: its fan, what came, and where it stands. */
export function renderReplay({ replay, heading, note, id, units }: ShownReplay): Html {
  const { forecast } = replay;
  const link = html`<a class="tap" href="/forecasts/${forecast.slug}">Open this forecast</a>`;
  return html`<section class="card stack" id="${id}" aria-labelledby="${id}-name">
<div><h3 id="${id}-name">${heading}</h3><p class="soft small">${note}</p></div>
${forecast.status === 'completed' ? renderChart(replay, heading, id, units) : renderUnfinished(replay)}
<p>${link}</p>
</section>`;
}

function renderUnfinished({ forecast }: Replay): Html {
  if (forecast.status === 'failed') {
    return html`<div class="note bad"><p>It failed: ${forecast.error?.message ?? 'no reason is known'}</p></div>`;
  }
  const { progress, status } = forecast;
  const done =
    progress === null
      ? ''
      : ` ${progress.completed_models} of ${formatCount(progress.total_models, 'model')} are done.`;
  return html`<div class="note info" data-running="${forecast.forecast_id}"><p>This replay is ${status}.${done} It appears here when it is complete.</p></div>`;
}

function renderChart(replay: Replay, heading: string, id: string, units: string | null): Html {
  const { forecast, history } = replay;
  const chart: ForecastChart = {
    title: `${forecast.name}: ${heading}`,
    units: units ?? undefined,
    history: {
      timestamps: history.map(({ timestamp }) => Date.parse(timestamp)),
      values: history.map(({ value }) => value ?? Number.NaN),
    },
    predictions: forecast.predictions.map(({ timestamp, quantiles }) => ({
      timestamp: Date.parse(timestamp),
      quantiles,
    })),
    outcome: replay.came.map(({ timestamp, actual }) => ({ timestamp: Date.parse(timestamp), actual })),
  };
  const { columns, rows } = chartTable(chart, { historyRows: 5 });
  return html`<figure data-cursor>
<div class="chart" role="group" aria-label="Chart of ${heading}. Arrow keys read its values.">${new Html(drawForecastChart(chart, { ...SIZE, id: `${id}-chart`, standalone: false }))}</div>
<p class="values small" aria-hidden="true"></p>
<figcaption>${describeReplay(replay)}</figcaption>
</figure>
<details><summary>The numbers</summary>
<div class="scroll tall" role="region" aria-label="Numbers of ${heading}" tabindex="0"><table>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first = '', ...cells]) =>
      html`<tr><th scope="row">${first}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>
</details>`;
}

/** Returns how a replay compares with what came, in one or two sentences. */
function describeReplay({ forecast, formats, came, score }: Replay): string {
  if (came.length === 0) return 'Nothing that came after it is known yet.';
  const { interval } = formats.levels;
  const inside = countInside(formats.levels, forecast.predictions, came);
  const held =
    interval === null
      ? `${formatCount(came.length, 'value')} came.`
      : `Its ${formatShare(interval.share)} interval held ${inside} of ${formatCount(came.length, 'value')} that came.`;
  const off = score.mae === null ? '' : ` Its middle was off by ${formats.formatValue(score.mae)} on average.`;
  return `${held}${off}`;
}
