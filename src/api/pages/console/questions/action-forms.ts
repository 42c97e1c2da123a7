import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { QUESTION_STATES } from '../../public/question-page.ts';
import type { ConsolePage } from '../document.ts';
import { renderFormPage } from '../form-page.ts';
import type { Refusal } from '../refusals.ts';
import type { ConsoleVisit } from '../visit.ts';
import type { Question, QuestionActions } from './question-view.ts';
import { QUESTIONS_PATH, questionPath, renderTime } from './words.ts';

interface QuestionForm {
  readonly title: string;
  readonly question: Question;
  readonly body: Html;
  readonly refusal?: Refusal | undefined;
  readonly errors?: FieldErrors | undefined;
}

/** Renders the page of one action, below a path to the question. */
export function renderQuestionForm({ title, question, body, refusal, errors }: QuestionForm): ConsolePage {
  const page = renderFormPage({
    heading: title,
    title: `${title}: ${question.question}`,
    section: 'questions',
    crumbs: [
      { href: QUESTIONS_PATH, label: 'Questions' },
      { href: questionPath(question), label: question.question },
    ],
    body,
    refusal,
    errors,
  });
  return { ...page, script: 'questions' };
}

/** Renders the link that leaves a page without doing anything. */
export function renderBack(question: Question, label = 'Back to the question'): Html {
  return html`<a class="button quiet" href="${questionPath(question)}">${label}</a>`;
}

const DEEDS = {
  revise: [
    'You cannot revise this question',
    'Only the account that asked it and members of its workspace whose role allows it can revise it.',
  ],
  resolve: [
    'You cannot resolve this question',
    'Only the account that asked it, the owner of its workspace and administrators can resolve or annul it.',
  ],
} as const;

/**
 * Shows why the visitor cannot take an action: the question has ended, or another account decides. The status is 409 or
 * 403, as that of the API.
 */
export function showNotAllowed(
  { now }: Pick<ConsoleVisit, 'now'>,
  { question, allowed }: QuestionActions,
  action: keyof typeof DEEDS,
  refusal?: Refusal,
): ConsolePage {
  const isOver = action === 'revise' && new Date(allowed.revisable_until) <= now;
  const [title, rule] = DEEDS[action];
  const page = (heading: string, status: number, text: Html): ConsolePage => ({
    ...renderQuestionForm({
      title: heading,
      question,
      refusal,
      body: html`<p>${text}</p><p class="actions">${renderBack(question)}</p>`,
    }),
    status: refusal?.status ?? status,
    failed: true,
  });
  if (question.status !== 'pending')
    return page(
      'This question is closed',
      409,
      html`${QUESTION_STATES[question.status]}. A resolution is final, so nothing about the question can change.`,
    );
  if (isOver)
    return page(
      'This question can no longer be revised',
      409,
      html`Its outcome was decided at ${renderTime(allowed.revisable_until)}, or its deadline passed then. A probability that is given afterwards is not a forecast.`,
    );
  return page(title, 403, html`${rule}`);
}
