import { errorSummary } from '../../forms.ts';
import { html } from '../../html.ts';
import { readGiven } from '../forecasts/list-address.ts';
import { renderHint } from '../hints.ts';
import type { ConsoleRoute } from '../visit.ts';
import { showAccountFirst } from './account-first.ts';
import { renderHead } from './head.ts';
import { type ListPage, readList, readWorkspaces, withoutDenied } from './read-list.ts';
import { renderFilters, renderResults } from './render-list.ts';
import { QUESTIONS_PATH } from './words.ts';

const PARAMETERS = [
  'entity',
  'category',
  'status',
  'author',
  'workspace_id',
  'source_forecast_id',
  'deadline_from',
  'deadline_to',
  'sort',
  'cursor',
] as const;

/** The questions that the visitor may see, by category, entity, state and deadline. */
export const questionsPage: ConsoleRoute = {
  path: QUESTIONS_PATH,

  async get(visit) {
    const given = readGiven(visit.query, PARAMETERS);
    let page: ListPage;
    try {
      page = await readList(visit, given);
    } catch (error) {
      return showAccountFirst(visit, error, {
        title: 'Questions',
        head: renderHead('list', false),
        text: 'Questions are asked, revised and scored under an account, because a score belongs to the one that gave the probability. Public questions can be opened by their address without one.',
      });
    }
    const workspaces = await readWorkspaces(visit.visitor);
    return {
      title: 'Questions',
      section: 'questions',
      script: 'questions',
      status: page.status,
      failed: page.status !== 200,
      body: html`${renderHead('list', true)}
${renderHint(
  visit,
  'questions',
  html`The quickest question comes from a forecast: open one of <a href="/forecasts">your forecasts</a>, choose “Ask a question” and pick a value on its fan. Its probability is already there.`,
)}
<div id="errors">${errorSummary(page.errors)}</div>
${renderFilters(withoutDenied(given, page.errors), page.errors, workspaces)}
<p class="away" role="status" id="announcement"></p>
<section id="results" aria-label="Questions">${renderResults(page, given)}</section>`,
    };
  },
};
