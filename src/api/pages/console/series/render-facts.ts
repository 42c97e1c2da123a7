import { formatDay, formatInteger, formatMoment, periodFormat } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { formatFrequency, formatProvider } from '../words.ts';
import { describeValue, frequencyOf, type SeriesView } from './series-view.ts';
import { SIDE_WORDS } from './words.ts';

type Fact = readonly [term: string, text: string | Html];

const MAX_FLAGGED_DATES = 6;

/** Renders what the provider states about the series and its rows. */
export function renderFacts(view: SeriesView): Html {
  return html`<section class="card stack" aria-labelledby="facts">
<h2 id="facts">About this series</h2>
<dl class="facts">${factsOf(view).map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>
${renderStatements(view)}
</section>`;
}

function factsOf(view: SeriesView): Fact[] {
  const { source, description, rows } = view;
  const { units } = describeValue(view);
  const facts = rows?.facts;
  const multiplier = facts?.multiplier ?? description.multiplier;
  const adjustment = facts?.seasonal_adjustment ?? description.seasonal_adjustment;
  const updated = facts?.last_update ?? description.last_update;
  const bytes = rows?.estimatedBytes ?? description.estimated_bytes;
  const optional: readonly (Fact | false | '' | null | undefined)[] = [
    ['Provider', formatProvider(rows?.provider ?? description.provider)],
    description.publisher !== '' && ['Publisher', description.publisher],
    ['Name', html`<code>${nameSource(view)}</code>`],
    units !== '' && ['Units', units],
    multiplier !== null && multiplier !== undefined && multiplier !== 1 && ['Units contain', formatInteger(multiplier)],
    adjustment !== null && adjustment !== undefined && ['Seasonal adjustment', adjustment],
    ['Frequency', formatFrequency(frequencyOf(view) ?? rows?.frequency ?? description.frequency) ?? 'Not stated'],
    description.span !== null && ['Span', formatSpan(view, description.span)],
    description.rows !== null && ['Rows', formatInteger(description.rows)],
    rows?.priceSide && rows.priceSide !== 'trade' && ['Side', SIDE_WORDS[rows.priceSide] ?? rows.priceSide],
    description.status === 'delisted' && ['Listing', 'Delisted: no new bars'],
    ['Revisions', formatVintage(view)],
    updated && ['Last update', renderMoment(new Date(updated))],
    source.type === 'warehouse_table' && typeof bytes === 'number' && ['Read', `${formatInteger(bytes)} bytes at most`],
    ['License', renderLicense(description.license)],
  ];
  return optional.filter((fact): fact is Fact => Boolean(fact));
}

function nameSource({ source }: SeriesView): string {
  if (source.type === 'market') return source.symbol;
  return source.type === 'economic_series' ? source.series_id : source.table;
}

function formatSpan(view: SeriesView, { start, end }: { readonly start: string; readonly end: string }): string {
  const frequency = frequencyOf(view);
  const format = frequency === null ? formatDay : periodFormat(frequency);
  return `${format(new Date(start))} to ${format(new Date(end))}`;
}

function formatVintage({ source, description }: SeriesView): string {
  if (source.type === 'economic_series' && source.vintage !== undefined) {
    return `Rows as they were known on ${formatDay(new Date(source.vintage))}`;
  }
  const earlier = description.vintages === true ? '; earlier states can be chosen' : '';
  return description.vintage === 'revised' ? `Values as they are known today${earlier}` : 'Values as first published';
}

function renderMoment(date: Date): Html {
  return html`<time datetime="${date.toISOString()}" data-local>${formatMoment(date)}</time>`;
}

function renderLicense({ name, url, allowed }: SeriesView['description']['license']): Html {
  // A provider could state any address; only these lead to a page.
  const isLink = url !== null && /^https?:\/\//.test(url);
  const text = isLink ? html`<a class="tap" href="${url}" rel="noreferrer noopener">${name}</a>` : name;
  return html`${text}${!allowed && html` <span class="tag bad">Denied on this service</span>`}`;
}

/** Renders notes, footnotes and flags. */
function renderStatements({ description, rows }: SeriesView): Html | null {
  const notes = [...(description.notes === null ? [] : [description.notes]), ...(rows?.facts?.footnotes ?? [])];
  const flags = rows?.facts?.flags ?? [];
  if (notes.length === 0 && flags.length === 0) return null;
  return html`${notes.length > 0 && html`<div><h3>Notes</h3><ul class="ticks">${notes.map((note) => html`<li>${note}</li>`)}</ul></div>`}
${
  flags.length > 0 &&
  html`<div><h3>Flags of rows</h3><ul class="ticks">${flags.map(
    ({ flag, label, count, dates }) =>
      html`<li><strong>${label ?? flag}</strong> <span class="soft">(${flag})</span>: ${formatInteger(count)} ${count === 1 ? 'row' : 'rows'}${
        dates.length > 0 &&
        html`, the latest of ${dates.slice(0, MAX_FLAGGED_DATES).map((date, i) => `${i > 0 ? ', ' : ''}${formatDay(new Date(date))}`)}`
      }</li>`,
  )}</ul></div>`
}
${rows?.facts?.cut && html`<p class="hint">The provider states more than fits here.</p>`}`;
}
