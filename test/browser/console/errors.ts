import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANONYMOUS } from '../../../src/access/index.ts';
import { renderConsole } from '../../../src/api/pages/console/document.ts';
import { errorPage } from '../../../src/api/pages/console/error-page.ts';
import { type ErrorCode, Fault, type FaultDetails } from '../../../src/contract/index.ts';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { waitForText } from '../../support/api/page-controls.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { follow, heading } from '../steps.ts';
import { type ConsoleView, findViolations } from './view.ts';

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

/** Tests the pages that explain errors. */
export function testErrors(open: () => FullSite): void {
  test('a page that a rate limit refused counts down until the visitor can try again', {
    skip: noBrowser,
  }, async () => {
    const page = await newPage({ javaScriptEnabled: true });
    const view = errorView('short-wait', 'RATE_LIMITED', 'More than 60 requests a minute.', { retryAfter: 1 });
    await view.open(page, open());
    assert.deepEqual(await findViolations(page), []);
    await waitForText(page, 'You can try again now.');
  });

  test('an unknown address leads back to the start without scripts', { skip: noBrowser }, async () => {
    const page = await newPage();
    await page.goto(`${open().url}/nothing-here`);
    await heading(page, 'There is nothing here');
    await follow(page, 'Go to the start page');
    await heading(page, 'Forecasts that anyone can check');
  });
}
