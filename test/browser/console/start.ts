import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { heading } from '../steps.ts';
import { type ConsoleView, findViolations } from './view.ts';

export const startViews: readonly ConsoleView[] = [
  {
    name: 'start',
    async open(page, { url }) {
      await page.goto(url);
      await heading(page, 'Forecasts that anyone can check');
    },
  },
];

/** Tests the start page. */
export function testStart(open: () => FullSite): void {
  test('the start page greets a newcomer without making a guest session', { skip: noBrowser }, async () => {
    const page = await newPage({ javaScriptEnabled: true });
    await startViews[0]?.open(page, open());
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(await page.context().cookies(), []);
  });
}
