import { EVENT_STATUSES } from '../../../../contract/index.ts';
import { formatCount, formatProbability, formatRatio } from '../../format.ts';
import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { labelWorkspace } from '../../label-workspace.ts';
import { QUESTION_STATES } from '../../public/question-page.ts';
import { renderSelect, renderText } from '../fields.ts';
import { type Given, textOf } from '../forecasts/list-address.ts';
import { renderEmpty } from '../states.ts';
import type { Question } from './question-view.ts';
import type { ListPage, Workspace } from './read-list.ts';
import { QUESTIONS_PATH, questionPath, renderStamped, renderState, renderTime, VISIBLE_TO } from './words.ts';

const STATES = [
  { value: '', label: 'Any state' },
  ...EVENT_STATUSES.map((value) => ({ value, label: QUESTION_STATES[value] })),
];

const AUTHORS = [
  { value: '', label: 'Anyone' },
  { value: 'me', label: 'Me' },
];

const ORDERS = [
  { value: '', label: 'Newest' },
  { value: 'deadline', label: 'Next deadline' },
];

/** Renders the filters of the list. */
export function renderFilters(given: Given, errors: FieldErrors, workspaces: readonly Workspace[]): Html {
  const of = (name: string) => ({ name, value: textOf(given, name) });
  const source = textOf(given, 'source_forecast_id');
  return html`<form id="filters" class="card filters record" method="get" action="${QUESTIONS_PATH}" role="search" aria-label="Questions">
${source !== '' && html`<input type="hidden" name="source_forecast_id" value="${source}">`}
<div class="fields">
${renderText({ ...of('entity'), label: 'About', type: 'search', placeholder: 'Name or ticker', maxlength: 200 }, errors)}
${renderText({ ...of('category'), label: 'Category', placeholder: 'Any', maxlength: 40 }, errors)}
${renderSelect({ ...of('status'), label: 'State', options: STATES }, errors)}
${renderSelect({ ...of('author'), label: 'Asked by', options: AUTHORS }, errors)}
${
  (workspaces.length > 0 || errors.workspace_id !== undefined) &&
  renderSelect({ ...of('workspace_id'), label: 'Workspace', options: workspaceOptions(workspaces) }, errors)
}
${renderText({ ...of('deadline_from'), label: 'Deadline from', type: 'date' }, errors)}
${renderText({ ...of('deadline_to'), label: 'Deadline until', type: 'date' }, errors)}
${renderSelect({ ...of('sort'), label: 'Order', options: ORDERS }, errors)}
</div>
<div class="filters-end">
<p class="actions"><button class="quiet apply">Apply</button><a class="tap" id="reset" href="${QUESTIONS_PATH}"${
    !isFiltered(given) && html` hidden`
  }>Reset filters</a></p>
</div>
</form>`;
}

export function workspaceOptions(workspaces: readonly Workspace[]) {
  return [
    { value: '', label: 'Any workspace' },
    ...workspaces.map((workspace) => ({ value: workspace.id, label: labelWorkspace(workspace) })),
  ];
}

function isFiltered(given: Given): boolean {
  return Object.keys(given).some((name) => name !== 'sort' && name !== 'cursor');
}

/** Returns the address of the list with these filters. */
export function listAddress(given: Given): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(given))
    if (typeof value === 'string' && value !== '') params.append(name, value);
  const query = params.toString();
  return query === '' ? QUESTIONS_PATH : `${QUESTIONS_PATH}?${query}`;
}

/** Renders the questions of a page of the list, or why there are none. */
export function renderResults(page: ListPage, given: Given): Html | null {
  const { questions, nextCursor, errors } = page;
  if (Object.keys(errors).length > 0) return null;
  const { cursor, ...first } = given;
  if (questions.length === 0) return renderNone(given, first);
  return html`<p class="soft small forecast-count" data-found>${describeCount(page, cursor !== undefined)}</p>
<ul class="question-list">${questions.map((question) => renderRow(question, page.now, first))}
</ul>
${
  (cursor !== undefined || nextCursor !== null) &&
  html`<nav class="pagination" aria-label="Pages of the list">
${cursor === undefined ? html`<span></span>` : html`<a class="button quiet" href="${listAddress(first)}">Back to the first page</a>`}
${nextCursor !== null && html`<a class="button quiet" rel="next" href="${listAddress({ ...first, cursor: nextCursor })}">Next page</a>`}
</nav>`
}`;
}

function describeCount({ questions, nextCursor }: ListPage, isLaterPage: boolean): string {
  const count = formatCount(questions.length, 'question');
  if (nextCursor !== null) return `${count} on this page, and there are more.`;
  return isLaterPage ? `${count} on this last page.` : `${count}.`;
}

function renderRow(question: Question, now: Date, given: Given): Html {
  const { probability, status, category, entity, score, revision, resolution_deadline: deadline } = question;
  const narrowed = (name: string, value: string) => listAddress({ ...given, [name]: value });
  const isLate = status === 'pending' && new Date(deadline) <= now;
  return html`
<li class="question-row">
<div class="question-odds"><span class="figure">${formatProbability(probability)}</span>
<progress max="1" value="${probability}" aria-hidden="true"></progress></div>
<div class="question-what"><h2><a href="${questionPath(question)}">${question.question}</a></h2>
<p class="soft small">About <a class="tap" href="${narrowed('entity', entity.name)}">${entity.name}${entity.ticker !== '' && entity.ticker !== entity.name && ` (${entity.ticker})`}</a> · <a class="tap" href="${narrowed('category', category)}">${category}</a></p></div>
<div class="question-state"><p>${renderState(question)} ${renderStamped(question)}</p>
<p class="soft small">${
    score === null
      ? revision === 1
        ? 'Not revised'
        : `Revision ${revision}`
      : html`Log score <span class="number">${formatRatio(score.log_score)}</span>`
  }</p></div>
<div class="question-when soft small"><p>${isLate ? html`<strong>Deadline passed</strong>` : 'Deadline'}</p><p>${renderTime(deadline)}</p>
<p>${question.is_own ? 'Mine' : 'Of another account'} · ${VISIBLE_TO[question.visibility]}</p></div>
</li>`;
}

function renderNone(given: Given, first: Given): Html {
  if (given.cursor !== undefined) {
    return renderEmpty({
      title: 'This page of the list is empty now',
      text: 'The questions that were here are gone or have moved to another page.',
      steps: [{ href: listAddress(first), label: 'Go to the first page' }],
    });
  }
  if (isFiltered(given)) {
    return renderEmpty({
      title: 'No question matches',
      text: 'The name or ticker must be complete, and the category must be written as the questions have it. Remove a filter to see more.',
      steps: [{ href: QUESTIONS_PATH, label: 'Show all questions' }],
    });
  }
  return renderEmpty({
    title: 'No questions yet',
    text: 'Ask one in your own words, or take one from a forecast, which gives its probability. When the answer is known, the probability is scored.',
    steps: [
      { href: `${QUESTIONS_PATH}/new`, label: 'Ask a question' },
      { href: '/forecasts', label: 'Take one from a forecast' },
    ],
  });
}
