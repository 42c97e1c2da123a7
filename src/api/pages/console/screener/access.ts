import { Fault } from '../../../../contract/index.ts';
import { html } from '../../html.ts';
import { withReturnTo } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { type NextStep, renderEmpty } from '../states.ts';
import type { ConsoleHandler, ConsoleVisit } from '../visit.ts';

/** Makes a page explain the screener to visitors that cannot use it, with the status of the operation behind it. */
export function forAccounts(handler: ConsoleHandler): ConsoleHandler {
  return async (visit) => {
    try {
      return await handler(visit);
    } catch (error) {
      const page = error instanceof Fault ? explainAccess(error, visit) : null;
      if (page === null) throw error;
      return page;
    }
  };
}

function explainAccess({ code, status }: Fault, { address }: ConsoleVisit): ConsolePage | null {
  const returnTo = address.startsWith('/screener/new') ? address : '/screener';
  if (code === 'EMAIL_NOT_VERIFIED') {
    return showIntroduction(status, 'Confirm your email address first', EMAIL_TEXT, [
      { href: '/auth/account', label: 'Confirm my address' },
    ]);
  }
  if (code !== 'UNAUTHENTICATED' && code !== 'ACCOUNT_REQUIRED') return null;
  return showIntroduction(status, 'The screener needs an account', ACCOUNT_TEXT, [
    { href: withReturnTo('/auth/sign-up', returnTo), label: 'Create an account' },
    { href: withReturnTo('/auth/sign-in', returnTo), label: 'Sign in' },
  ]);
}

const ACCOUNT_TEXT =
  'Filters are saved, evaluated every evening and can send you emails, so they belong to an account. It is free.';
const EMAIL_TEXT =
  'Filters can send emails, so they need a confirmed address. Your account page sends you a link that confirms it.';

function showIntroduction(status: number, title: string, text: string, steps: readonly NextStep[]): ConsolePage {
  return {
    title: 'Screener',
    section: 'screener',
    status,
    body: html`<div class="page-head"><div><h1>Screener</h1>
<p class="lead">Describe the symbols that interest you. After each close of the exchange you see which ones match and which are new.</p></div></div>
<ul class="ticks measure">
<li>Conditions on price, change, volume, averages, momentum and distance from highs and lows, for every listed symbol.</li>
<li>A preview of today’s matches before you save anything.</li>
<li>If you like, one email a day with the matches and a small chart of each.</li>
</ul>
${renderEmpty({ title, text, steps })}`,
  };
}
