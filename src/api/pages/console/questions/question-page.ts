import { type Html, html } from '../../html.ts';
import { moveNotice, SeeOther } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderCrumbs } from '../form-page.ts';
import { renderHint } from '../hints.ts';
import { renderNote } from '../states.ts';
import type { ConsoleVisit } from '../visit.ts';
import { renderAbout, renderHistory } from './about.ts';
import { type QuestionView, readView } from './question-view.ts';
import { renderDeciding, renderResolution } from './resolution.ts';
import { renderProbability, renderRevisions } from './revisions.ts';
import { QUESTIONS_PATH, questionPath, renderStamped, renderState, VISIBLE_TO } from './words.ts';

/** Shows a question to a visitor that may read it: its probability over time, how it is decided, and its outcome. */
export async function questionPage(visit: ConsoleVisit): Promise<ConsolePage | SeeOther> {
  const view = await readView(visit);
  const { question } = view;
  // One question has one address, whichever name of it was asked for.
  if (question.slug !== visit.params.slug) {
    moveNotice(visit, visit.address, questionPath(question));
    return new SeeOther(questionPath(question));
  }
  return {
    title: question.question,
    section: 'questions',
    script: 'questions',
    body: html`${renderCrumbs([{ href: QUESTIONS_PATH, label: 'Questions' }])}
<header class="page-head">
<div><p class="eyebrow">${question.entity.name} · ${question.category}</p>
<h1>${question.question}</h1>
<p class="state">${renderState(question)} ${renderStamped(question)} <span class="soft">Visible to: ${VISIBLE_TO[question.visibility].toLowerCase()}</span></p></div>
${renderActions(view)}
</header>
${
  view.allowed.actions.includes('revise') &&
  renderHint(
    visit,
    'question',
    'Revise the probability when you learn something. Earlier revisions stay, and the last one before the outcome is known is scored.',
  )
}
<article class="question">
${renderLate(view)}
${renderProbability(view)}
<div class="columns">
${view.resolution === null ? renderDeciding(view) : renderResolution(view, view.resolution)}
${renderAbout(view, visit.siteUrl)}
</div>
${renderRevisions(view)}
${renderHistory(view)}
</article>`,
  };
}

function renderActions({ question, allowed }: QuestionView): Html | false {
  const can = (action: 'revise' | 'resolve') => allowed.actions.includes(action);
  return (
    allowed.actions.length > 0 &&
    html`<p class="actions">${can('revise') && html`<a class="button" href="${questionPath(question, 'revise')}">Revise</a>`}${
      can('resolve') &&
      html`<a class="button quiet" href="${questionPath(question, 'resolve')}">Resolve …</a><a class="button quiet" href="${questionPath(question, 'annul')}">Annul …</a>`
    }</p>`
  );
}

/** Renders what an open question waits for after its deadline. */
function renderLate({ question, allowed, now }: QuestionView): Html | false {
  if (question.status !== 'pending' || new Date(question.resolution_deadline) > now) return false;
  const next = allowed.actions.includes('resolve')
    ? 'Resolve it if the outcome is known, or annul it if it cannot be decided.'
    : 'It stays open until its rule or a person that may resolve it does so.';
  return renderNote('warning', `The service does not guess an outcome. ${next}`, 'The deadline has passed');
}
