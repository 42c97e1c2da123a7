import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../support/api/browser.ts';
import { evaluate } from '../support/api/page-state.ts';
import { FORECASTS, inlineRequest, waitFor } from '../support/forecasts/forecast-service.ts';
import type { FullSite } from '../support/identity/full-site.ts';
import { confirmSignUp, fillIn } from './steps.ts';

interface Answer {
  readonly status: number;
  readonly data: Record<string, unknown>;
}

/** Calls the API from a page of the site, with the cookies and headers of the browser. */
function call(page: Page, method: string, path: string, body?: object): Promise<Answer> {
  const content = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const request = [`/api${path}`, { method, ...content }].map((part) => JSON.stringify(part));
  return evaluate(
    page,
    `fetch(${request}).then(async (response) => ({ status: response.status, data: (await response.json()).data }))`,
  );
}

/** Tests how a guest's forecast is saved to an account through the pages. */
export function testGuestSave(open: () => FullSite): void {
  for (const way of ['an existing account', 'a new account'] as const) {
    test(`a guest creates a forecast, signs in with ${way} and saves it`, { skip: noBrowser }, async () => {
      const site = open();
      const page = await newPage({ javaScriptEnabled: true });
      // The documentation page stands for any page of the site that calls the API.
      const home = `${site.url}/docs`;
      // The scripts and styles of that page cause most of the browser's work and are not tested here.
      await page.route('**/docs/static/**', (route) => route.abort());
      await page.goto(home);
      const guest = await call(page, 'POST', '/v1/guest-sessions');
      assert.equal(guest.status, 201);
      const created = await call(page, 'POST', FORECASTS, inlineRequest());
      assert.equal(created.status, 202);
      const forecast = `${FORECASTS}/${created.data.forecast_id}`;
      await waitFor(
        () => call(page, 'GET', forecast),
        ({ data }) => data.status === 'completed',
      );
      const prepared = await call(page, 'POST', `${forecast}/prepare-save`);
      assert.deepEqual(prepared.data, { forecast_id: created.data.forecast_id, ready_to_sign_in: true });

      const email = `${way.replaceAll(' ', '-')}@example.org`;
      if (way === 'a new account') {
        await page.goto(`${site.url}/auth/sign-up?return_to=/docs?save=1`);
        await fillIn(page, email, { button: 'Create account' });
        const [mail] = await site.mail.mailsTo(email);
        await confirmSignUp(page, mail?.links[0]);
      } else {
        await site.account({ email, plan: 'free' });
        await page.goto(`${site.url}/auth/sign-in?return_to=/docs?save=1`);
        await fillIn(page, email);
      }
      await page.waitForURL(`${home}?save=1`);

      const saved = await call(page, 'POST', `${forecast}/save`);
      assert.deepEqual([saved.status, saved.data], [200, { forecast_id: created.data.forecast_id, saved: true }]);
      const names = (await page.context().cookies()).map(({ name }) => name);
      assert.ok(names.includes('__Host-almanac_session') && !names.includes('__Host-almanac_save'), String(names));
      assert.equal((await call(page, 'GET', forecast)).status, 200, 'the account owns the forecast');
      await page.context().clearCookies({ name: '__Host-almanac_session' });
      assert.equal((await call(page, 'GET', forecast)).status, 404, 'the guest no longer does');
    });
  }
}
