import type { PublicReference } from '../../../../contract/index.ts';
import { formatCount } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { withReturnTo } from '../../visit.ts';
import { renderNote } from '../states.ts';
import { formatProvider } from '../words.ts';
import { renderResult, type ShownResult } from './render-result.ts';
import { type SearchRequest, searchAddress } from './search-address.ts';
import { codeOf, findMissingWords, joinNames } from './search-words.ts';

/** The kinds of series, in the order of the filter. */
const KINDS: Readonly<Record<PublicReference['type'], string>> = {
  market: 'Markets',
  economic_series: 'Economic series',
  warehouse_table: 'Warehouse tables',
};

/** A page of results. */
export interface FoundPage {
  readonly request: SearchRequest;
  readonly results: readonly ShownResult[];
  readonly nextCursor: string | null;
  /** The ids of the providers that did not reply. */
  readonly unavailable: readonly string[];
  /** Whether the visitor has an account. */
  readonly isAccount: boolean;
}

/** Returns the number of results as a sentence, which the page shows and announces. */
export function describeCount({ request, results, nextCursor }: FoundPage): Html {
  const { query, cursor } = request;
  // The query can contain characters that would turn the sentence around.
  const name = html`“<bdi>${query}</bdi>”`;
  if (results.length === 0) return html`No results for ${name}.`;
  const count = formatCount(results.length, 'result');
  if (cursor !== null) return html`${count} more for ${name}${nextCursor === null ? ', the last ones' : ''}.`;
  return nextCursor === null ? html`${count} for ${name}.` : html`The best ${count} for ${name}. There are more.`;
}

/** Renders everything below the search field for a query. */
export function renderFound(page: FoundPage): Html {
  const { request, results, unavailable } = page;
  return html`${renderKinds(request)}
${results.length > 0 && renderScope(request)}
${unavailable.length > 0 && renderUnavailable(request, unavailable)}
${results.length === 0 ? renderNothing(page) : html`${renderSpelling(page)}${renderGroups(page)}${renderPages(page)}`}`;
}

/** Renders the filter by kind, as links so that it works without a script. */
function renderKinds(request: SearchRequest): Html {
  const kinds: readonly [type: string | null, label: string][] = [[null, 'All kinds'], ...Object.entries(KINDS)];
  return html`<nav class="segments kinds" aria-label="Kinds">${kinds.map(
    ([type, label]) =>
      html`<a href="${searchAddress({ ...request, type, cursor: null })}"${type === request.type && html` aria-current="true"`}>${label}</a>`,
  )}</nav>`;
}

/** Renders what a local search leaves out. */
function renderScope(request: SearchRequest): Html | false {
  return (
    request.isLocal &&
    html`<p class="scope soft">These come from the listings that are stored here. <a class="tap" href="${searchAddress({ ...request, isLocal: false, cursor: null })}" data-ask>Also ask the providers</a></p>`
  );
}

function renderUnavailable(request: SearchRequest, unavailable: readonly string[]): Html {
  const names = joinNames(unavailable.map(formatProvider));
  const again = html`<a class="tap" href="${searchAddress({ ...request, cursor: null })}">Try again</a>`;
  return renderNote(
    'warning',
    html`Series that only ${unavailable.length === 1 ? 'this provider has' : 'these providers have'} may be missing below. Everything from the stored listings is complete. ${again}`,
    `${names} did not reply in time.`,
  );
}

/** Renders which words no name contains, which explains results that match by another name or a similar spelling. */
function renderSpelling({ request, results }: FoundPage): Html | false {
  const names = results.flatMap(({ result }) => [result.title, codeOf(result.source)]);
  const missing = findMissingWords(request.query, names);
  return (
    missing.length > 0 &&
    html`<p class="scope soft">No name below contains ${joinNames(missing.map((word) => `“${word}”`))}. ${results.length === 1 ? 'It matches' : 'They match'} by another name, a topic, a similar spelling, or only in part.</p>`
  );
}

function renderGroups({ request, results }: FoundPage): Html[] {
  // The kind of the best result comes first.
  const groups = Map.groupBy(results, ({ result }) => result.source.type);
  return [...groups].map(
    ([type, found]) => html`<section class="group" aria-labelledby="kind-${type}">
<h2 id="kind-${type}">${KINDS[type]} <span class="soft">${found.length}</span></h2>
<ol class="found">${found.map((one) => renderResult(one, request.query))}</ol>
</section>`,
  );
}

function renderPages({ request, nextCursor }: FoundPage): Html | false {
  const first = searchAddress({ ...request, cursor: null });
  return (
    (nextCursor !== null || request.cursor !== null) &&
    html`<nav class="pagination" aria-label="Pages">
${request.cursor !== null ? html`<a class="button quiet" href="${first}">Back to the best results</a>` : html`<span></span>`}
${nextCursor !== null && html`<a class="button quiet" rel="next" href="${searchAddress({ ...request, cursor: nextCursor })}">More results</a>`}
</nav>`
  );
}

/** Renders what to do if nothing was found. */
function renderNothing({ request, isAccount }: FoundPage): Html {
  const { type, isLocal } = request;
  const all = { ...request, cursor: null };
  const remedies: readonly (Html | false)[] = [
    html`Use fewer words, or another name: a symbol such as AAPL, a topic such as employment, or a country.`,
    type !== null && html`<a href="${searchAddress({ ...all, type: null })}">Search all kinds</a> instead of one.`,
    isLocal &&
      html`<a href="${searchAddress({ ...all, isLocal: false })}" data-ask>Ask the providers</a>, because only the stored listings were searched so far.`,
    !isAccount &&
      html`<a href="${withReturnTo('/auth/sign-in', searchAddress(all))}">Sign in</a>, because some warehouse tables are found only with an account.`,
    html`Bring your own rows: <a href="/files">Upload a CSV file</a>, or send the rows with a forecast. The <a href="/docs/">API documentation</a> shows how.`,
  ];
  return html`<div class="state-panel empty">
<h2>Nothing here has that name</h2>
<p>The bundled data and the listings of the configured providers were searched, with room for typing errors. You can still:</p>
<ul class="ticks remedies">${remedies.map((remedy) => remedy && html`<li>${remedy}</li>`)}</ul>
</div>`;
}
