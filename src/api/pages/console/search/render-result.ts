import { drawSparkline } from '../../../../charts/index.ts';
import type { Operations, Output } from '../../../../contract/index.ts';
import { valueFormat } from '../../format.ts';
import { Html, html } from '../../html.ts';
import { seriesAddress, sourceParams } from '../source-address.ts';
import { formatFrequency, formatProvider } from '../words.ts';
import { codeOf, formatSpan, splitMatches } from './search-words.ts';

export type SearchResult = Output<Operations['searchSeries']>['results'][number];
export type Preview = Output<Operations['previewSeries']>['previews'][number];

/** A result with the values for its picture. */
export interface ShownResult {
  readonly result: SearchResult;
  readonly preview: Preview;
}

/** A fact of so many characters fits on a line of a phone and is not broken. */
const MAX_WHOLE = 22;

/** Renders one result: its name, what is known about it, its picture, and what can be done with it. */
export function renderResult({ result, preview }: ShownResult, query: string): Html {
  const { source, title, status } = result;
  const code = codeOf(source);
  // An economic series without a preview may need a choice first, which its page offers.
  const canForecast = preview !== null || source.type !== 'economic_series';
  return html`<li class="result">
<div class="what">
<h3><a class="cover" href="${seriesAddress(source)}" data-result>${markMatches(title, query)}</a></h3>
<ul class="meta"><li><code>${code}</code></li>${status === 'delisted' && html`<li><span class="tag warning">Delisted</span></li>`}${factsOf(
    result,
  ).map((fact) => html`<li${fact.length <= MAX_WHOLE && html` class="fact"`}>${fact}</li>`)}</ul>
</div>
<div class="picture">${preview && renderPreview(preview)}</div>
${
  canForecast
    ? html`<a class="button quiet act" href="/new?${sourceParams(source).toString()}">Forecast<span class="away"> ${title}</span></a>`
    : html`<span class="act soft">Open to choose</span>`
}
</li>`;
}

function factsOf({ source, provider, frequency, span, units }: SearchResult): string[] {
  const rows = formatFrequency(frequency);
  return [
    rows !== null && (source.type === 'market' ? `${rows} bars` : rows),
    span && formatSpan(span, frequency),
    units !== '' && `in ${units}`,
    formatProvider(provider),
  ].filter((fact) => typeof fact === 'string');
}

function renderPreview({ values }: NonNullable<Preview>): Html {
  const format = valueFormat(values);
  const [first, last] = [values[0] ?? Number.NaN, values.at(-1) ?? Number.NaN];
  const label = `Recent values, from ${format(first)} to ${format(last)}`;
  return new Html(drawSparkline({ history: values }, { width: 132, height: 40, label }));
}

function markMatches(name: string, query: string): Html[] {
  return splitMatches(name, query).map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : html`${text}`));
}
