import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { clickControl, shownText, tabTo, waitForFocus, waitForText } from '../../support/api/page-controls.ts';
import { evaluate, pollPage } from '../../support/api/page-state.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { heading, press } from '../steps.ts';
import { type ConsoleView, findViolations } from './view.ts';

const FORM = '/new?source=economic_series&provider=bundled&series_id=us-employment-nonfarm';

/** Opens the popover of a button and waits until it is shown. */
async function openPopover(page: Page, button: string): Promise<void> {
  await page.click(button);
  await pollPage(page, 'the popover', () =>
    evaluate<boolean>(page, `document.querySelector(':popover-open') !== null`),
  );
}

export const frameViews: readonly ConsoleView[] = [
  {
    name: 'frame-words',
    async open(page, { url }) {
      await page.goto(`${url}/glossary`);
      await heading(page, 'Words');
    },
  },
  {
    name: 'frame-meaning',
    async open(page, { url }) {
      await page.goto(`${url}${FORM}`);
      await heading(page, 'US employment');
      await openPopover(page, '.field .ask button');
    },
  },
  {
    name: 'frame-menu',
    async open(page, { url }) {
      await page.goto(`${url}/search`);
      await heading(page, 'Search');
      // In a wide window the sections are a row.
      if ((page.viewportSize()?.width ?? 0) < 960) await openPopover(page, '.menu-button');
    },
  },
];

/** Tests what every page has around its content: the menu, the words and the hints. */
export function testFrame(open: () => FullSite): void {
  test('the menu, the meaning of a word and a hint work by keyboard, and nothing that was typed is lost', {
    skip: noBrowser,
  }, async () => {
    const page = await newPage({ javaScriptEnabled: true });
    await page.goto(`${open().url}${FORM}`);
    await heading(page, 'US employment');
    await page.focus('.menu-button');
    await page.keyboard.press('Enter');
    await tabTo(page, '#menu li:first-child a');
    assert.deepEqual(await findViolations(page, ['color-contrast', 'aria-allowed-attr', 'list', 'target-size']), []);
    await page.keyboard.press('Escape');
    await waitForFocus(page, '.menu-button');
    await page.fill('#title', 'Typed before');
    await page.focus('.field .ask button');
    await page.keyboard.press('Enter');
    await waitForText(page, 'How many periods ahead a forecast reaches.', ':popover-open');
    await page.keyboard.press('Escape');
    await page.focus('[data-hint] button');
    await page.keyboard.press('Enter');
    await pollPage(page, 'no hint', () => evaluate<boolean>(page, `document.querySelector('[data-hint]') === null`));
    await waitForFocus(page, '#main');
    assert.equal(await page.inputValue('#title'), 'Typed before');
    await page.reload();
    await heading(page, 'US employment');
    assert.equal(await page.locator('[data-hint]').count(), 0, 'it does not come back');
  });

  test('the menu, the meaning of a word and a hint work without scripts', { skip: noBrowser }, async () => {
    const page = await newPage();
    await page.goto(`${open().url}${FORM}`);
    await heading(page, 'US employment');
    await press(page, 'Got it');
    await heading(page, 'US employment');
    assert.doesNotMatch((await shownText(page)) ?? '', /Hint You can press/);
    await openPopover(page, '.field .ask button');
    await clickControl(page, { role: 'link', name: 'All words' });
    await heading(page, 'Words');
    await openPopover(page, '.menu-button');
    await clickControl(page, { role: 'link', name: 'My forecasts' });
    await heading(page, 'My forecasts');
  });
}
