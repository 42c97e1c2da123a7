import { Fault } from '../../../../contract/index.ts';
import { html } from '../../html.ts';
import { withReturnTo } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderProblem } from '../states.ts';
import type { ConsoleVisit } from '../visit.ts';

interface Purpose {
  readonly title: string;
  /** What the page is for, in one sentence. */
  readonly text: string;
}

/** Renders a page that only accounts can use for another visitor: what it is for, and how to sign in. */
export function renderForAccounts(visit: ConsoleVisit, fault: Fault, { title, text }: Purpose): ConsolePage {
  const { address } = visit;
  const signUp = { href: withReturnTo('/auth/sign-up', address), label: 'Create an account' };
  return {
    title,
    section: 'account',
    status: fault.status,
    failed: true,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
${renderProblem(fault, { returnTo: address, steps: fault.code === 'UNAUTHENTICATED' ? [signUp] : [] })}`,
  };
}

/** Returns whether a fault means that the visitor has no account, or is not signed in. */
export function needsAccount(error: unknown): error is Fault {
  return error instanceof Fault && (error.code === 'UNAUTHENTICATED' || error.code === 'ACCOUNT_REQUIRED');
}
