import { seriesFormat } from '../../../../charts/index.ts';
import { formatDay, periodFormat } from '../../format.ts';
import { errorSummary } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { SeeOther } from '../../visit.ts';
import { renderFeedLink } from '../account/feed-link.ts';
import { type ConsolePage, dataBlock } from '../document.ts';
import { idOf } from '../fields.ts';
import { renderHint } from '../hints.ts';
import { fileAddress, isFileSource, readSource, seriesAddress, sourceParams } from '../source-address.ts';
import { type NextStep, renderEmpty, renderProblem } from '../states.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { formatProvider, SOURCE_WORDS } from '../words.ts';
import { choiceParams, readChoices } from './page-choices.ts';
import { pageData } from './page-data.ts';
import { renderChart } from './render-chart.ts';
import { renderChoices, renderToolbar } from './render-choices.ts';
import { renderFacts } from './render-facts.ts';
import { renderNotes, renderSnapshot } from './render-notes.ts';
import { renderTable } from './render-table.ts';
import { describeValue, frequencyOf, lineColumn, readSeriesView, type SeriesView, shownRows } from './series-view.ts';

/** The page of one series: its chart, its numbers, what is known about it, and what can be chosen. */
export const seriesPage: ConsoleRoute = { path: '/series', get: showSeries };

async function showSeries(visit: ConsoleVisit): Promise<ConsolePage | SeeOther> {
  const { visitor, query } = visit;
  const source = readSource(query);
  if (source === null) return renderUnnamed(query.source);
  if (isFileSource(source)) return new SeeOther(fileAddress(source));
  visitor.lookAsGuest();
  const view = await readSeriesView(visitor, source, readChoices(query, query.source === 'market'));
  const isWrong = Object.keys(view.errors).length > 0;
  return {
    title: titleOf(view),
    section: 'search',
    script: 'series',
    body: renderSeries(view, {
      hint: view.rows !== null && renderHint(visit, 'series', HINT),
      feed: renderFeedLink(visitor.principal, feedParams(view)),
      canAsk: visitor.principal.kind === 'account',
    }),
    ...(view.fault !== null ? { status: view.fault.status } : isWrong && { status: 400 }),
    failed: view.fault !== null || isWrong,
  };
}

/** Renders the page for an address that names no series. Looking at it makes no guest. */
function renderUnnamed(type: unknown): ConsolePage {
  const isMissing = type === undefined || type === '';
  return {
    title: 'No series is chosen',
    status: isMissing ? 200 : 400,
    failed: !isMissing,
    section: 'search',
    body: html`<div class="card">${renderEmpty({
      level: 1,
      title: 'No series is chosen',
      text: isMissing
        ? 'Search for a market or a series, and open it from the results.'
        : 'The source of this address is unknown. It is market, economic_series or warehouse_table.',
      steps: [{ href: '/search', label: 'Search' }],
    })}</div>`,
  };
}

function titleOf({ source, description }: SeriesView): string {
  return source.type === 'market' && description.title !== source.symbol
    ? `${description.title} (${source.symbol})`
    : description.title;
}

const HINT =
  'If this is what you want to know about, press “Forecast this”. The next page shows what it costs before anything is made.';

interface Beside {
  readonly hint: Html | null | false;
  /** The link to the form for a feed of the series, for visitors that can make one. */
  readonly feed: Html | null;
  /** Whether the visitor may ask a question about the series. */
  readonly canAsk: boolean;
}

function renderSeries(view: SeriesView, { hint, feed, canAsk }: Beside): Html {
  const { source, description, rows, fault, missing, errors, choices } = view;
  const named = Object.fromEntries(Object.entries(errors).map(([name, text]) => [idOf(name), text]));
  const retry = seriesAddress(source, choiceParams(choices));
  return html`<div class="page-head">
<div>
<p class="eyebrow">${SOURCE_WORDS[source.type]} · ${formatProvider(rows?.provider ?? description.provider)}</p>
<h1>${titleOf(view)}</h1>
${rows !== null && renderLatest(view)}
</div>
${
  rows !== null &&
  html`<p class="actions"><a class="button" href="/new?${sourceParams(source).toString()}">Forecast this</a>${
    canAsk && html`<a class="button quiet" href="/questions/new?${sourceParams(source).toString()}">Ask a question</a>`
  }${feed}</p>`
}
</div>
${hint}
${errorSummary(named)}
<section class="card stack" aria-label="Chart">
${missing.length > 0 && renderMissing(view)}
${rows !== null && renderToolbar(view)}
${fault !== null && Object.keys(errors).length === 0 && renderProblem(fault, { retry, steps: stepsAfter(view) })}
${rows !== null && (isEmptyRange(view) ? renderNothing(view) : renderChart(view, rows))}
${rows !== null && renderNotes(view, rows)}
${missing.length > 0 || fault !== null ? renderChoices(view) : html`<details class="more"${Object.keys(errors).length > 0 && html` open`}><summary>Change what is shown</summary>${renderChoices(view)}</details>`}
</section>
<div class="${rows === null ? 'series-facts' : 'columns series-columns'}">
${rows !== null && !isEmptyRange(view) && renderTable(view, rows)}
<div class="flow">${renderFacts(view)}${rows !== null && renderSnapshot(view, rows)}</div>
</div>
${rows !== null && dataBlock('series-data', pageData(view, rows))}`;
}

/** Returns the parameters that name the rows of a feed. It always has the latest ones, so a range is not a part of it. */
function feedParams({ source, choices }: SeriesView): URLSearchParams {
  const params = sourceParams(source);
  if (choices.limit !== null) params.set('limit', String(choices.limit));
  return params;
}

/** Returns what a visitor can do if the rows cannot be read. */
function stepsAfter({ source, choices }: SeriesView): NextStep[] {
  const current = seriesAddress(source, choiceParams(choices, { snapshot: '' }));
  return [
    ...(choices.snapshot === null ? [] : [{ href: current, label: 'Read the current rows' }]),
    { href: '/search', label: 'Search for another series' },
  ];
}

function isEmptyRange(view: SeriesView): boolean {
  const [from, to] = shownRows(view);
  return from >= to;
}

function renderNothing({ source, choices, rows }: SeriesView): Html {
  const href = seriesAddress(source, choiceParams(choices, { from: '', to: '' }));
  const first = rows?.timestamps[0];
  const last = rows?.timestamps.at(-1);
  const isSome = first !== undefined && last !== undefined;
  return renderEmpty({
    title: isSome ? 'No rows in this range' : 'No rows',
    text: isSome
      ? `The rows that were read are from ${formatDay(new Date(first))} to ${formatDay(new Date(last))}.`
      : 'The provider has no complete rows with these choices. Choose others below.',
    steps: isSome ? [{ href, label: 'Show all rows' }] : [],
  });
}

function renderMissing({ missing, description }: SeriesView): Html {
  const names = missing.map(({ label }) => label);
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return html`<div class="state-panel empty">
<h2>Choose ${list}</h2>
<p>${description.title} has one series for each choice. Pick ${names.length === 1 ? 'one' : 'them'}, and its chart is shown here.</p>
</div>`;
}

/** Renders the latest value and its change from the row before. */
function renderLatest(view: SeriesView): Html | null {
  const values = lineColumn(view);
  const [last, before] = [values.at(-1), values.at(-2)];
  const time = view.rows?.timestamps.at(-1);
  if (last === undefined || time === undefined) return null;
  const frequency = frequencyOf(view);
  const when = (frequency === null ? formatDay : periodFormat(frequency))(new Date(time));
  const { units } = describeValue(view);
  const change = before !== undefined && before > 0 && last > 0 ? (last / before - 1) * 100 : null;
  const words =
    change === null
      ? ''
      : Math.abs(change) < 0.005
        ? 'unchanged'
        : `${change > 0 ? '+' : '\u2212'}${Math.abs(change).toFixed(2)}%`;
  return html`<p class="latest"><span class="figure">${seriesFormat(values)(last)} <small>${units}</small></span>
<span class="soft">${when}${words !== '' && html` · <span class="number">${words}</span> from the row before`}</span></p>`;
}
