import { Fault } from '../../../../contract/index.ts';
import { hidden, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { Notice } from '../../visit.ts';
import { renderFormPage } from '../form-page.ts';
import { attempt } from '../refusals.ts';
import type { ConsoleHandler, ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { ACCOUNT_PATH, backTo, forAccounts, PARTS, type Part, partPath } from './frame.ts';

/** Renders a button that ends one thing. The label names it for screen readers. */
export function renderEnding(action: string, id: string | null, button: string, label?: string): Html {
  return html`<form method="post" action="${action}">${hidden('id', id)}<button class="quiet"${
    label !== undefined && html` aria-label="${label}"`
  }>${button}</button></form>`;
}

/** Renders a link to the page that asks before it ends one thing. */
export function renderEndingLink(action: string, id: string, text: string, label: string): Html {
  return html`<a class="button quiet" href="${action}?${new URLSearchParams({ id }).toString()}" aria-label="${label}">${text}</a>`;
}

/** Runs an operation that ends something. @returns false if it has ended before */
export async function endOnce(run: () => Promise<unknown>): Promise<boolean> {
  const result = await attempt(run);
  // An id that is not even one was not made by these pages, and nothing has it.
  if (result instanceof Fault && (result.status === 404 || result.code === 'INVALID_REQUEST')) return false;
  if (result instanceof Fault) throw result;
  return true;
}

/** Handles the button that ends one thing. After a second click, the notice states that nothing has changed. */
export function endingHandler(
  part: Part,
  end: (visit: ConsoleVisit, id: string) => Promise<unknown>,
  notice: Notice,
): ConsoleHandler {
  return async (visit) => {
    const id = readField(visit.form, 'id') ?? '';
    const isEnded = await endOnce(() => end(visit, id));
    return backTo(visit, partPath(part), isEnded ? notice : 'gone_already');
  };
}

/** What a page asks before it ends something. */
interface Question {
  readonly heading: string;
  readonly body: Html;
  readonly button: string;
  readonly keep: string;
}

interface AskingRoute {
  readonly part: Part;
  readonly action: string;
  /** Returns the question about the thing with this id; null if there is no such thing. */
  readonly ask: (visit: ConsoleVisit, id: string) => Promise<Question | null>;
  readonly end: (visit: ConsoleVisit, id: string) => Promise<unknown>;
  readonly notice: Notice;
}

/** Creates the route of a page that ends one thing after a question, which states what goes with it. */
export function askingRoute({ part, action, ask, end, notice }: AskingRoute): ConsoleRoute {
  const path = partPath(part, action);
  return {
    path,
    get: forAccounts(part, async (visit) => {
      const id = readField(visit.query, 'id') ?? '';
      const question = await ask(visit, id);
      if (question === null) return backTo(visit, partPath(part), 'gone_already');
      return renderFormPage({
        heading: question.heading,
        section: 'account',
        crumbs: [
          { href: ACCOUNT_PATH, label: 'Account' },
          { href: partPath(part), label: PARTS[part][0] },
        ],
        body: html`${question.body}
<form method="post" action="${path}" class="actions">${hidden('id', id)}<button class="danger">${question.button}</button>
<a class="button quiet" href="${partPath(part)}">${question.keep}</a></form>`,
      });
    }),
    post: endingHandler(part, end, notice),
  };
}
