import { Fault } from '../../../../contract/index.ts';
import { type Html, html } from '../../html.ts';
import { withReturnTo } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderEmpty } from '../states.ts';
import type { ConsoleVisit } from '../visit.ts';

interface Purpose {
  readonly title: string;
  readonly head: Html;
  /** What the page is for, and why it needs an account. */
  readonly text: string;
}

/**
 * Renders a page of questions for a visitor without an account: what it is for, and how to get one. The status is that of
 * the API.
 *
 * @param error throws it again if it has another reason
 */
export function showAccountFirst({ address }: ConsoleVisit, error: unknown, purpose: Purpose): ConsolePage {
  const isExpected = error instanceof Fault && (error.code === 'ACCOUNT_REQUIRED' || error.code === 'UNAUTHENTICATED');
  if (!isExpected) throw error;
  return {
    title: purpose.title,
    section: 'questions',
    status: error.status,
    body: html`${purpose.head}
${renderEmpty({
  title: 'This needs an account',
  text: purpose.text,
  steps: [
    { href: withReturnTo('/auth/sign-up', address), label: 'Create an account' },
    { href: withReturnTo('/auth/sign-in', address), label: 'Sign in' },
  ],
})}`,
  };
}
