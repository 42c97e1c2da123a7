import { Fault, type PublicReference } from '../../../../contract/index.ts';
import { invalidChoice } from '../../../faults.ts';
import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderHint } from '../hints.ts';
import { toFieldErrors } from '../refusals.ts';
import { renderProblem } from '../states.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import type { Visitor } from '../visitor.ts';
import { renderSearchForm } from './render-form.ts';
import type { Preview, ShownResult } from './render-result.ts';
import { describeCount, type FoundPage, renderFound } from './render-results.ts';
import { renderSuggestions } from './render-suggestions.ts';
import { findRepeated, readSearchRequest, type SearchRequest, searchAddress } from './search-address.ts';

/** The number of results on a page, and the largest number of previews of one request. */
const PAGE_SIZE = 20;

export const searchPage: ConsoleRoute = { path: '/search', get: openSearch };

async function openSearch(visit: ConsoleVisit): Promise<ConsolePage> {
  const { visitor, query } = visit;
  const request = readSearchRequest(query);
  const repeated = findRepeated(query);
  if (repeated !== undefined) return describeRepeated(request, repeated);
  if (request.query === '') return toPage(request, { count: '', below: renderSuggestions() });
  await visitor.becomeGuest();
  try {
    return showFound(await search(visitor, request), renderHint(visit, 'search', HINT));
  } catch (error) {
    return describeRefusal(request, error);
  }
}

const HINT = 'Open a series to see its chart. One button there makes a forecast of it.';

/** States which parameter the address has twice, because showing the results of one of them would be a guess. */
function describeRepeated(request: SearchRequest, name: string): ConsolePage {
  const message = `The address has ${name} more than once. Search again with one.`;
  if (name === 'q')
    return toPage(request, { count: '', below: renderSuggestions(), errors: { q: message }, status: 400 });
  const steps = [{ href: searchAddress({ ...request, type: null, cursor: null }), label: 'Search from the start' }];
  return toPage(request, { count: '', below: renderProblem(invalidChoice(message), { steps }), status: 400 });
}

async function search(visitor: Visitor, request: SearchRequest): Promise<FoundPage> {
  const { query, type, isLocal, cursor } = request;
  const body = {
    query,
    limit: PAGE_SIZE,
    ...(type !== null && { types: [type] }),
    ...(isLocal && { local: true }),
    ...(cursor !== null && { cursor }),
  };
  const { results, next_cursor: nextCursor, unavailable } = await visitor.call('searchSeries', { body });
  const previews = await readPreviews(
    visitor,
    results.map(({ source }) => source),
  );
  const shown = results.map((result): ShownResult => ({ result, preview: previews.get(result.source) ?? null }));
  return { request, results: shown, nextCursor, unavailable, isAccount: visitor.principal.kind === 'account' };
}

/** Returns the previews of all series that can have one. */
async function readPreviews(
  visitor: Visitor,
  found: readonly PublicReference[],
): Promise<ReadonlyMap<PublicReference, Preview>> {
  const sources = found.filter(({ type }) => type !== 'warehouse_table');
  if (sources.length === 0) return new Map();
  const { previews } = await visitor.call('previewSeries', { body: { sources } });
  return new Map(sources.map((source, i) => [source, previews[i] ?? null]));
}

/** Returns the page of what was found. */
export function showFound(found: FoundPage, hint: Html | null = null): ConsolePage {
  const isEmpty = found.results.length === 0;
  return toPage(found.request, { count: describeCount(found), below: renderFound(found), hint: isEmpty ? null : hint });
}

interface Below {
  /** What is announced about the results. */
  readonly count: string | Html;
  readonly below: Html;
  readonly hint?: Html | null;
  readonly errors?: FieldErrors;
  readonly status?: number;
}

function toPage({ query, type }: SearchRequest, { count, below, hint, errors = {}, status = 200 }: Below): ConsolePage {
  return {
    title: query === '' ? 'Search' : `${query} · Search`,
    section: 'search',
    script: 'search',
    ownSearch: true,
    status,
    failed: status >= 400,
    body: html`<h1>Search</h1>
${renderSearchForm({ query, type, error: errors.q, hasFocus: query === '' })}
${hint}
<p class="search-count" id="count" role="status">${count}</p>
<div id="results" class="results">${below}</div>`,
  };
}

/** Keeps what was typed if the operation refuses it. Other errors get the page that all errors have. */
function describeRefusal(request: SearchRequest, error: unknown): ConsolePage {
  if (!(error instanceof Fault)) throw error;
  const { status, message } = error;
  if (status === 502) {
    const steps = [{ href: searchAddress({ ...request, isLocal: true }), label: 'Search the stored listings' }];
    const below = renderProblem(error, { retry: searchAddress(request), steps });
    return toPage(request, { count: '', below, status });
  }
  if (status !== 400) throw error;
  if (message.startsWith('query: ')) {
    return toPage(request, {
      count: '',
      below: renderSuggestions(),
      errors: toFieldErrors(error, { query: ['q', 'The search text'] }) ?? {},
      status,
    });
  }
  const first = { ...request, type: null, cursor: null };
  const steps = [{ href: searchAddress(first), label: 'Search from the start' }];
  return toPage(request, { count: '', below: renderProblem(error, { steps }), status });
}
