import { formatCount } from '../../format.ts';
import { errorSummary } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderEmpty } from '../states.ts';
import { checkField, choiceFields, inputField, selectField } from './fields.ts';
import { addressOf, FORECASTS_PATH, type Given, SORTS } from './list-address.ts';
import type { Choices, ListPage } from './read-list.ts';
import { renderRows } from './render-rows.ts';

const STATUS_OPTIONS = [
  ['queued', 'Queued'],
  ['running', 'Running'],
  ['completed', 'Completed'],
  ['failed', 'Failed or canceled'],
] as const;

/** Renders the list with its filters. */
export function renderList(page: ListPage, choices: Choices, given: Given): Html {
  return html`<div id="errors">${errorSummary(page.errors)}</div>
${renderFilters(page, choices, given)}
<p class="away" role="status" id="announcement"></p>
<section id="results" aria-label="Forecasts">${renderResults(page, choices, given)}</section>`;
}

function renderFilters({ errors }: ListPage, choices: Choices, given: Given): Html {
  const filters = { given, errors };
  return html`<form id="filters" class="card filters" method="get" action="${FORECASTS_PATH}" role="search" aria-label="Forecasts">
<div class="fields">
${inputField(filters, 'q', 'Search', { type: 'search', placeholder: 'Name, symbol or series' })}
${selectField(filters, 'status', 'State', STATUS_OPTIONS, 'Any state')}
${choiceFields(filters, choices, 'All mine')}
${selectField(filters, 'sort', 'Order', SORTS, null)}
</div>
<div class="filters-end">
${choices.workspaces.length > 0 && checkField(filters, 'mine', 'Only my own forecasts')}
<p class="actions"><button class="quiet apply">Apply</button><a class="tap" id="reset" href="${FORECASTS_PATH}"${
    !isFiltered(given) && html` hidden`
  }>Reset filters</a></p>
</div>
</form>`;
}

/** Returns whether the address selects some of the forecasts. */
function isFiltered(given: Given): boolean {
  return Object.keys(given).some((name) => name !== 'sort' && name !== 'cursor');
}

function renderResults(page: ListPage, choices: Choices, given: Given): Html | null {
  const { forecasts, nextCursor, errors } = page;
  if (Object.keys(errors).length > 0) return null;
  const { cursor, ...first } = given;
  if (forecasts.length === 0) return cursor === undefined ? renderNone(given) : renderEnd(first);
  return html`<p class="soft small forecast-count" data-found>${describeCount(page, cursor !== undefined)}</p>
${renderRows(page, choices)}
${
  (cursor !== undefined || nextCursor !== null) &&
  html`<nav class="pagination" aria-label="Pages of the list">
${cursor === undefined ? html`<span></span>` : html`<a class="button quiet" href="${addressOf(first)}">Back to the first page</a>`}
${nextCursor !== null && html`<a class="button quiet" rel="next" href="${addressOf({ ...first, cursor: nextCursor })}">Next page</a>`}
</nav>`
}`;
}

function describeCount({ forecasts, nextCursor }: ListPage, isLaterPage: boolean): string {
  const count = formatCount(forecasts.length, 'forecast');
  if (nextCursor !== null) return `${count} on this page, and there are more.`;
  return isLaterPage ? `${count} on this last page.` : `${count}.`;
}

function renderNone(given: Given): Html {
  if (isFiltered(given)) {
    return renderEmpty({
      title: 'No forecast matches',
      text: 'Every word of the search must occur in the name, the symbol, the series or the horizon. Remove a filter or shorten the search.',
      steps: [{ href: FORECASTS_PATH, label: 'Show all my forecasts' }],
    });
  }
  return renderEmpty({
    title: 'No forecasts yet',
    text: 'Choose a series, state how far to look, and its forecast appears here: with its progress, its validation and, as time passes, its outcome.',
    steps: [
      { href: '/new', label: 'Make a forecast' },
      { href: '/search', label: 'Search series' },
    ],
  });
}

function renderEnd(first: Given): Html {
  return renderEmpty({
    title: 'This page of the list is empty now',
    text: 'The forecasts that were here were deleted or have moved to another page.',
    steps: [{ href: addressOf(first), label: 'Go to the first page' }],
  });
}
