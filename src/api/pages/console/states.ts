import { Fault } from '../../../contract/index.ts';
import { type Html, html } from '../html.ts';
import { withReturnTo } from '../visit.ts';
import { describeProblem, formatWait, toPageWords, withoutWait } from './problem-words.ts';

/** A link that a state offers as the next step. */
export interface NextStep {
  readonly href: string;
  readonly label: string;
}

interface EmptyState {
  readonly title: string;
  /** Why nothing is here, and what to do about it. */
  readonly text: string | Html;
  /** The first one is the main action. */
  readonly steps?: readonly NextStep[];
  /** The level of the heading, one below that of its section. */
  readonly level?: HeadingLevel;
}

export type HeadingLevel = 1 | 2 | 3 | 4;

/** Renders a heading of a level that depends on where it stands. */
export function heading(level: HeadingLevel, text: string | Html): Html {
  if (level === 1) return html`<h1>${text}</h1>`;
  if (level === 2) return html`<h2>${text}</h2>`;
  return level === 3 ? html`<h3>${text}</h3>` : html`<h4>${text}</h4>`;
}

/** Renders the place of a list, table or chart that has nothing to show yet. */
export function renderEmpty({ title, text, steps = [], level = 2 }: EmptyState): Html {
  return html`<div class="state-panel empty">
${heading(level, title)}
<p>${text}</p>
${renderSteps(steps)}
</div>`;
}

function renderSteps(steps: readonly NextStep[]): Html | false {
  return (
    steps.length > 0 &&
    html`<p class="actions">${steps.map(
      ({ href, label }, index) => html`<a class="button${index > 0 && ' quiet'}" href="${href}">${label}</a>`,
    )}</p>`
  );
}

interface ProblemOptions {
  /** Where to try again: the address of this page. Without it there is no such link. */
  readonly retry?: string;
  /** Where to continue after a sign-in; the address of `retry` if it is not given. */
  readonly returnTo?: string;
  /** Replaces the title of the problem. */
  readonly title?: string;
  /** What the visitor can do instead. */
  readonly steps?: readonly NextStep[];
  readonly level?: HeadingLevel;
  /** The id by which the log is searched. */
  readonly requestId?: string;
}

/**
 * Renders an error in the place of what it prevented: what happened, what to do, and when to try again.
 *
 * @param error throws it again unless it is a fault, because other errors have no message for visitors
 */
export function renderProblem(error: unknown, options: ProblemOptions = {}): Html {
  if (!(error instanceof Fault)) throw error;
  const { retry, returnTo = retry ?? '/', steps = [], level = 2, requestId } = options;
  const { title, advice, message = error.message } = describeProblem(error.code);
  const { retryAfter } = error.details;
  return html`<div class="state-panel problem" role="alert">
${heading(level, options.title ?? title)}
<p>${toPageWords(retryAfter === undefined ? message : withoutWait(message))}</p>
${advice !== null && html`<p class="soft">${advice}</p>`}
${retryAfter !== undefined && renderWait(retryAfter)}
${renderSteps([...nextSteps(error, retry, returnTo), ...steps])}
${requestId !== undefined && html`<p class="hint">Request <code>${requestId}</code></p>`}
</div>`;
}

/** Renders when to try again. A script counts down. */
export function renderWait(seconds: number): Html {
  return html`<p data-retry="${Math.ceil(seconds)}">Try again in <strong>${formatWait(seconds)}</strong>.</p>`;
}

function nextSteps({ code, status }: Fault, retry: string | undefined, address: string): NextStep[] {
  if (code === 'UNAUTHENTICATED') return [{ href: withReturnTo('/auth/sign-in', address), label: 'Sign in' }];
  if (code === 'ACCOUNT_REQUIRED')
    return [
      { href: withReturnTo('/auth/sign-up', address), label: 'Create an account' },
      { href: withReturnTo('/auth/sign-in', address), label: 'Sign in' },
    ];
  if (code === 'EMAIL_NOT_VERIFIED') return [{ href: '/auth/account', label: 'Go to your account' }];
  const canRetry = status === 429 || status >= 500 || code === 'PRECONDITION_FAILED';
  return canRetry && retry !== undefined ? [{ href: retry, label: 'Try again' }] : [];
}

export type Tone = 'info' | 'good' | 'warning' | 'bad';

/** Renders a message beside content that is there, such as a warning about it. */
export function renderNote(tone: Tone, text: string | Html, title?: string): Html {
  return html`<div class="note ${tone}">
${title !== undefined && html`<p><strong>${title}</strong></p>`}
<p>${text}</p>
</div>`;
}
