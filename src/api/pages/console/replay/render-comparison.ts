import { countInside, gainOf, MIN_DIFFERENCE } from '../../../../wording/index.ts';
import { formatRatio, formatShare } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { Replay } from './read-replays.ts';

/** One row of the comparison. */
export interface ComparedReplay {
  readonly replay: Replay;
  readonly heading: string;
  readonly note: string;
  readonly id: string;
}

/** Renders the forecast and its replays in one table: what came, the score and the audit of each. */
export function renderComparison(compared: readonly ComparedReplay[]): Html {
  const share = compared.map(({ replay }) => replay.formats.levels.interval?.share).find(Boolean) ?? 0.8;
  return html`<section class="card stack" aria-labelledby="compare">
<h2 id="compare">Side by side</h2>
<div class="scroll" role="region" aria-label="Comparison of replays" tabindex="0"><table>
<thead><tr><th scope="col">Forecast</th><th scope="col">Inside ${formatShare(share)}</th><th scope="col">Off by</th><th scope="col">WQL</th><th scope="col">Audit WQL</th><th scope="col">Audit gain</th></tr></thead>
<tbody>${compared.map(renderRow)}</tbody></table></div>
<p class="hint">“Inside” counts the values that came and lay inside the interval. “Off by” is the average distance of the middle from what came. WQL, the weighted quantile loss, scores the whole fan; smaller is better. The audit scored each forecast on the last rows that it knew; its gain is how much better or worse it was there than equal weights. Values of replays existed when they were made, so they do not enter your track record.</p>
</section>`;
}

function renderRow({ replay, heading, note, id }: ComparedReplay): Html {
  const { forecast, formats, came, score } = replay;
  const inside = `${countInside(formats.levels, forecast.predictions, came)} of ${came.length}`;
  const audit = forecast.weighting?.audit_metrics.average_wql ?? null;
  return html`<tr><th scope="row"><a class="tap" href="#${id}">${heading}</a> <span class="soft note-line">${note}</span></th><td>${
    forecast.status !== 'completed'
      ? forecast.status
      : came.length === 0 || formats.levels.interval === null
        ? '–'
        : inside
  }</td><td>${score.mae === null ? '–' : formats.formatValue(score.mae)}</td><td>${formatScore(score.averageWql)}</td><td>${formatScore(audit)}</td><td>${describeGain(gainOf(replay))}</td></tr>`;
}

function formatScore(value: number | null): string {
  return value === null ? '–' : formatRatio(value);
}

/** Returns the gain in the few words that a cell has space for. The page of a forecast calls the same gains equal. */
export function describeGain(gain: number | null): string {
  if (gain === null) return '–';
  const size = Math.abs(gain);
  if (size < MIN_DIFFERENCE) return 'equal';
  return `${formatShare(size, size < 0.02 ? 1 : 0)} ${gain > 0 ? 'better' : 'worse'}`;
}
