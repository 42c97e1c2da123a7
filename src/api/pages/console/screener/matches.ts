import { drawSparkline } from '../../../../charts/index.ts';
import { Html, html } from '../../html.ts';
import { seriesAddress } from '../source-address.ts';
import { formatFieldValue, labelOf } from './filter-words.ts';

/** A match as the operations return it. */
export interface Match {
  readonly symbol: string;
  /** Undefined in a preview. */
  readonly new?: boolean;
  readonly values: Readonly<Record<string, number | null>>;
  readonly recent_closes: readonly number[];
}

const PREVIOUS = 'previous_';

/** Renders matches with the values that the conditions compared, and a small chart of each. */
export function renderMatches(matches: readonly Match[], label: string): Html {
  const columns = [...new Set(matches.flatMap(({ values }) => Object.keys(values)))];
  return html`<div class="scroll matches" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr><th scope="col" class="words">Symbol</th><th scope="col" class="words">Last closes</th>${columns.map(
    (name) => html`<th scope="col">${labelOfColumn(name)}</th>`,
  )}</tr></thead>
<tbody>${matches.map(
    (match) => html`
<tr><th scope="row" class="words"><a class="tap" href="${seriesAddress({ type: 'market', symbol: match.symbol, timeframe: '1D' })}">${match.symbol}</a>${
      match.new && html` <span class="tag info">New</span>`
    }</th><td class="words closes">${drawCloses(match)}</td>${columns.map((name) => html`<td>${formatFieldValue(fieldOf(name), match.values[name] ?? null)}</td>`)}</tr>`,
  )}
</tbody></table></div>`;
}

function fieldOf(column: string): string {
  return column.startsWith(PREVIOUS) ? column.slice(PREVIOUS.length) : column;
}

function labelOfColumn(column: string): string {
  return column.startsWith(PREVIOUS) ? `${labelOf(fieldOf(column))}, day before` : labelOf(column);
}

function drawCloses({ symbol, recent_closes: closes }: Match): Html {
  const [first, last] = [closes[0], closes.at(-1)];
  if (first === undefined || last === undefined) return html`<span class="soft">No closes</span>`;
  const label = `${symbol}: the last ${closes.length} closes, from ${formatFieldValue('close', first)} to ${formatFieldValue('close', last)}`;
  return new Html(drawSparkline({ history: closes }, { width: 112, height: 32, label }));
}
