import { describeProblem, formatWait } from '../../../src/api/pages/console/problem-words.ts';

/** How long the form waits before it tries a service again that it could not reach, in seconds. */
const OFFLINE_SECONDS = 5;

/** A failure in words, and when to try again. */
export interface Failure {
  readonly title: string;
  readonly text: string;
  /** In seconds; null if the next change of the form is soon enough. */
  readonly retryAfter: number | null;
}

/** A response that is an error page. */
class PageFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.text);
    this.failure = failure;
  }
}

/** Returns the failure that an error page describes. */
export function readFailure(response: Response, page: Document): Error {
  const read = (selector: string): string =>
    page.querySelector(`[role="alert"] > ${selector}`)?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  return new PageFailure({
    title: read(':is(h1, h2, h3)') || describeProblem('UNREADABLE').title,
    text: read('p') || 'It could not be read.',
    retryAfter: Number(response.headers.get('retry-after')) || null,
  });
}

/** Returns why a part of the page could not be read. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof PageFailure) return error.failure;
  return {
    title: describeProblem('OFFLINE').title,
    text: 'The service cannot be reached. Your choices stay here. Check your connection.',
    retryAfter: OFFLINE_SECONDS,
  };
}

/** Returns a panel with a failure, the seconds until the next attempt and a button that makes it now. */
export function drawFailure({ title, text, retryAfter }: Failure, retry: () => void, what = 'The cost'): HTMLElement {
  const panel = document.createElement('div');
  panel.className = 'state-panel problem';
  const heading = document.createElement('h3');
  heading.textContent = title;
  const sentence = document.createElement('p');
  sentence.textContent = text;
  panel.append(heading, sentence);
  if (retryAfter !== null) {
    const wait = document.createElement('p');
    wait.dataset.retry = String(retryAfter);
    const left = document.createElement('strong');
    left.textContent = formatWait(retryAfter);
    wait.append(`${what} is read again in `, left, '.');
    panel.append(wait);
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = 'Try again';
  button.addEventListener('click', retry);
  const actions = document.createElement('p');
  actions.className = 'actions';
  actions.append(button);
  panel.append(actions);
  return panel;
}
