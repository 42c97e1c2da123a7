import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLES } from '../../../src/api/pages/console/start/examples.ts';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { waitForControl, waitForFocus, waitForText } from '../../support/api/page-controls.ts';
import { evaluate, pollPage } from '../../support/api/page-state.ts';
import { waitFor } from '../../support/forecasts/forecast-service.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { heading } from '../steps.ts';
import { type ConsoleView, findViolations } from './view.ts';

const TITLE = 'Forecasts that anyone can check';

export const startViews: readonly ConsoleView[] = [
  {
    name: 'start',
    async open(page, { url }) {
      await page.goto(url);
      await heading(page, TITLE);
    },
  },
  {
    name: 'start-typing',
    scriptOnly: true,
    async open(page, { url }) {
      await page.goto(url);
      await heading(page, TITLE);
      await page.keyboard.press('/');
      await page.keyboard.insertText('appl');
      await waitForText(page, '2 results for “appl”.', '#count');
    },
  },
];

/** Tests the start page. */
export function testStart(open: () => FullSite): void {
  test('the start page greets a newcomer without a guest session, and answers while one types', {
    skip: noBrowser,
  }, async () => {
    const { url } = open();
    const page = await newPage({ javaScriptEnabled: true });
    await page.goto(url);
    await heading(page, TITLE);
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(await page.context().cookies(), []);
    await page.keyboard.press('/');
    await waitForFocus(page, '#q');
    await page.keyboard.insertText('unemploymnt');
    await waitForText(page, '1 result for “unemploymnt”.', '#count');
    assert.equal(page.url(), `${url}/search?q=unemploymnt&local=1`);
    assert.equal((await page.context().cookies()).length, 1, 'the first search makes the guest session');
    assert.equal(await evaluate(page, `document.getElementById('welcome').checkVisibility()`), false);
    await page.keyboard.press('ArrowDown');
    await waitForFocus(page, '.result:first-of-type [data-result]');
    await page.keyboard.press('ArrowUp');
    await waitForFocus(page, '#q');
    await page.keyboard.press('Backspace');
    await pollPage(page, 'the examples', () =>
      evaluate<boolean>(page, `document.getElementById('welcome').checkVisibility()`),
    );
    assert.equal(page.url(), `${url}/`);
  });

  test('the forecast that an example shows is the one that the service makes', { skip: noBrowser }, async () => {
    const { url } = open();
    const page = await newPage();
    await page.goto(url);
    await waitForControl(page, { role: 'link', name: 'US employment' });
    const example = EXAMPLES.find(({ id }) => id === 'employment');
    assert.ok(example);
    const { source, horizon, forecast } = example;
    const guest = await fetch(`${url}/api/v1/guest-sessions`, { method: 'POST' });
    const cookie = guest.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const headers = { cookie, 'content-type': 'application/json' };
    const created = await fetch(`${url}/api/v1/ensemble-forecasts`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ source, horizon }),
    });
    const { data } = (await created.json()) as { data: { forecast_id: string } };
    // With every default model, it takes longer than an action of a page may take on a busy machine.
    const made = await waitFor(
      async () => {
        const response = await fetch(`${url}/api/v1/ensemble-forecasts/${data.forecast_id}`, { headers });
        return ((await response.json()) as { data: Made }).data;
      },
      ({ status }) => status === 'completed',
    );
    for (const [name, level] of [
      ['low', '0.1'],
      ['median', '0.5'],
      ['high', '0.9'],
    ] as const) {
      made.predictions.forEach(({ quantiles }, i) => {
        const [shown, value] = [forecast[name][i] ?? Number.NaN, quantiles[level] ?? Number.NaN];
        assert.ok(
          Math.abs(shown - value) < value * 0.002,
          `${name} ${i}: ${shown}, ${value}. See scripts/write-examples.ts.`,
        );
      });
    }
  });
}

interface Made {
  readonly status: string;
  readonly predictions: readonly { readonly quantiles: Readonly<Record<string, number>> }[];
}
