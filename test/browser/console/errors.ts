import { ANONYMOUS } from '../../../src/access/index.ts';
import { renderConsole } from '../../../src/api/pages/console/document.ts';
import { errorPage } from '../../../src/api/pages/console/error-page.ts';
import { type ErrorCode, Fault, type FaultDetails } from '../../../src/contract/index.ts';
import { heading } from '../steps.ts';
import type { ConsoleView } from './view.ts';

/** Returns the view of an error that the shared service of the tests cannot have, such as an exceeded rate limit. */
function errorView(name: string, code: ErrorCode, message: string, details: FaultDetails = {}): ConsoleView {
  return {
    name: `error-${name}`,
    async open(page, { url }) {
      const address = '/search?q=oil';
      const request = { id: '0190163d-8694-739b-aea5-966c26f8ad91', method: 'GET', url: address };
      const shown = errorPage(new Fault(code, message, details), request);
      const body = renderConsole(shown, { principal: ANONYMOUS, address });
      const response = { status: shown.status ?? 500, contentType: 'text/html', body };
      await page.route(`${url}${address}`, (route) => route.fulfill(response));
      await page.goto(`${url}${address}`);
      await heading(page, shown.title);
    },
  };
}

export const errorViews: readonly ConsoleView[] = [
  {
    name: 'error-not-found',
    async open(page, { url }) {
      await page.goto(`${url}/nothing-here`);
      await heading(page, 'There is nothing here');
    },
  },
  errorView('rate-limited', 'RATE_LIMITED', 'More than 60 requests a minute. Wait 42 s and try again.', {
    retryAfter: 42,
  }),
  errorView('provider', 'PROVIDER_FAILED', 'Yahoo Finance did not respond.'),
  errorView('maintenance', 'UNAVAILABLE', 'The database is not available. Try again shortly.', { retryAfter: 5 }),
  errorView('internal', 'INTERNAL', 'An unexpected error occurred.'),
  errorView('account', 'ACCOUNT_REQUIRED', 'Questions need an account.'),
];
