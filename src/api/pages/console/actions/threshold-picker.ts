import { drawForecastChart } from '../../../../charts/index.ts';
import { Fault, type Operations, type Output, type RuleOperator } from '../../../../contract/index.ts';
import { drawInPage } from '../../forecast/draw-in-page.ts';
import { formatExact, formatProbability } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { dataBlock } from '../document.ts';
import { chartOf } from '../forecast/completed.ts';
import { type ForecastView, readView } from '../forecast/view.ts';
import { attempt } from '../refusals.ts';
import type { ConsoleVisit } from '../visit.ts';
import { type Forecast, forecastPath } from './action-visit.ts';

type Preview = Output<Operations['previewEventsFromForecast']>['questions'][number];

/** What is asked about. */
export interface Picked {
  readonly op: RuleOperator;
  readonly step: number;
  readonly threshold: number;
}

/** The picked threshold, and how probable it and those around it are. */
export interface Picker {
  readonly view: ForecastView;
  readonly picked: Picked;
  /** Ascending by threshold. */
  readonly previews: readonly Preview[];
}

/** How many thresholds a script gets, between which it interpolates while one is dragged. */
const GRID = 41;
/** Every so many of them is a row of the table. */
const ROW = 5;

/** Reads the probabilities of a threshold and of those around it. @returns the reason if there are none */
export async function readPicker(visit: ConsoleVisit, forecast: Forecast, picked: Picked): Promise<Picker | Fault> {
  const { visitor, now } = visit;
  const thresholds = [...gridOf(forecast, picked.step), picked.threshold];
  const body = { forecast_id: forecast.forecast_id, thresholds, steps: [picked.step], op: picked.op };
  const found = await attempt(() => visitor.call('previewEventsFromForecast', { body }));
  if (found instanceof Fault) return found;
  return { view: await readView(visitor, forecast, now), picked, previews: found.questions };
}

/** Returns round values across the fan of a step and a little beyond it. */
export function gridOf({ predictions }: Pick<Forecast, 'predictions'>, step: number): number[] {
  const values = Object.values(predictions[step - 1]?.quantiles ?? {});
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = high - low || Math.abs(high) / 10 || 1;
  const [from, to] = [low - room / 2, high + room / 2];
  const digits = Math.max(0, 2 - Math.floor(Math.log10(room)));
  const round = (value: number) => Number(digits > 15 ? value.toPrecision(12) : value.toFixed(digits));
  return [...new Set(Array.from({ length: GRID }, (_, i) => round(from + ((to - from) * i) / (GRID - 1))))];
}

/** Renders the fan with the threshold, its probability, and a table of others. */
export function renderPicker({ view, picked, previews }: Picker, asked: readonly number[]): Html {
  const { forecast } = view;
  const { op, step, threshold } = picked;
  const timestamp = Date.parse(forecast.predictions[step - 1]?.timestamp ?? '');
  const steps = forecast.predictions.map((prediction) => Date.parse(prediction.timestamp));
  const chart = { ...chartOf(view), mark: { timestamp, value: threshold, others: asked, steps } };
  const chosen = previews.find((preview) => preview.threshold === threshold);
  const rows = previews.filter((preview, i) => preview === chosen || (i % ROW === 0 && i > 0));
  const address = (value: number) =>
    `${forecastPath(forecast, 'questions')}?${new URLSearchParams({ op, step: String(step), threshold: String(value) })}`;
  return html`<div id="picker" class="stack">
<p id="odds" class="odds" role="status"><span class="figure">${formatProbability(chosen?.probability ?? 0)}</span> <span class="lead">${chosen?.question}</span></p>
<figure class="picker">
<figcaption id="picker-words">The orange line is the value, and the dashed one the period that is asked about.${asked.length > 0 && ' Short black lines are values that you asked about before.'} <span data-script hidden>Drag the line or use the arrow keys for the value, or tap the chart for the value and the period.</span></figcaption>
${drawInPage((options) => drawForecastChart(chart, options))}
</figure>
<details><summary>How probable other values are</summary>
<div class="scroll tall" role="region" aria-label="Probabilities of other values" tabindex="0">
<table><thead><tr><th scope="col">Value</th><th scope="col">Probability</th><th scope="col" class="words">Choose</th></tr></thead>
<tbody>${rows.map(
    (preview) => html`
<tr data-value="${preview.threshold}"${preview === chosen && html` data-chosen`}><th scope="row">${formatExact(preview.threshold)}</th><td class="middle">${formatProbability(preview.probability)}</td><td class="words">${
      preview === chosen
        ? html`<span class="tap">Chosen</span>`
        : html`<a class="tap" href="${address(preview.threshold)}" aria-label="Choose ${formatExact(preview.threshold)}">Choose</a>`
    }</td></tr>`,
  )}
</tbody></table></div></details>
${dataBlock('grid', {
  forecast: forecast.forecast_id,
  step,
  op,
  threshold,
  points: previews.map((preview) => [preview.threshold, preview.probability]),
})}
</div>`;
}
