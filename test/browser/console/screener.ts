import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { clickControl, fillField, waitForText } from '../../support/api/page-controls.ts';
import { evaluate } from '../../support/api/page-state.ts';
import { withSession } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { makeFilter } from '../../support/screener/filters.ts';
import { type ScreenerScene, seedScreener } from '../../support/screener/screener-scene.ts';
import { heading, press } from '../steps.ts';
import { giveCookie } from './forecasts.ts';
import { type ConsoleView, findViolations } from './view.ts';

async function signIn(page: Page, site: FullSite, spec?: Parameters<FullSite['account']>[0]): Promise<string> {
  const { id, email } = await site.account(spec);
  await giveCookie(page, site, (await withSession(site.identity, email)).cookie);
  return id;
}

async function signInWithFilters(page: Page, site: FullSite): Promise<ScreenerScene> {
  return seedScreener(site.identity.database, await signIn(page, site));
}

/** Opens a page of the account; `{0}` in the path is the first of its filters. */
const open = (
  path: string,
  title: string,
  prepare: (page: Page, site: FullSite) => Promise<ScreenerScene | string | undefined> = signInWithFilters,
) => ({
  async open(page: Page, site: FullSite): Promise<void> {
    const scene = await prepare(page, site);
    const ids = typeof scene === 'object' ? scene.filters : [];
    await page.goto(`${site.url}${path.replace(/\{(\d)\}/, (_, i) => ids[Number(i)] ?? '')}`);
    await heading(page, title);
  },
});

const WRONG =
  'universe=list&symbols=AAPL+A%27B&combine=any&field.0=close&op.0=between&value.0=abc&field.1=rsi_14&op.1=lt&value.1=30&check=1';
const NONE = 'universe=all&combine=all&field.0=rsi_14&op.0=gt&value.0=99';

export const screenerViews: readonly ConsoleView[] = [
  { name: 'screener-newcomer', ...open('/screener', 'Screener', async () => undefined) },
  {
    name: 'screener-unverified',
    ...open('/screener', 'Screener', (page, site) => signIn(page, site, { verified: false })),
  },
  { name: 'screener-empty', ...open('/screener', 'Screener', signIn) },
  { name: 'screener-list', ...open('/screener', 'Screener') },
  {
    name: 'screener-full',
    ...open('/screener/new', 'New filter', async (page, site) => {
      const id = await signIn(page, site);
      for (let i = 0; i < 10; i++) await makeFilter(site.identity.database, id, { name: `Filter ${i}` });
      return id;
    }),
  },
  { name: 'screener-new', ...open('/screener/new', 'New filter') },
  { name: 'screener-none', ...open(`/screener/new?${NONE}`, 'New filter') },
  { name: 'screener-wrong', ...open(`/screener/new?${WRONG}`, 'New filter') },
  { name: 'screener-edit', ...open('/screener/{1}/edit', 'Change the filter') },
  { name: 'screener-filter', ...open('/screener/{0}?session=2024-03-27', 'Above its average') },
  { name: 'screener-unevaluated', ...open('/screener/{2}', 'Saved this evening') },
  { name: 'screener-session', ...open('/screener/{0}?session=2024-03-30', 'Above its average') },
  { name: 'screener-mails', ...open('/screener/mails', 'Emails about your filters') },
  { name: 'screener-delete', ...open('/screener/{0}/delete', 'Delete this filter?') },
];

/** Tests the pages of the screener. */
export function testScreener(site: () => FullSite): void {
  test('the preview follows the form of a filter, which is then saved', { skip: noBrowser }, async () => {
    const page = await newPage({ javaScriptEnabled: true });
    const problems: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
    await signInWithFilters(page, site());
    await page.goto(`${site().url}/screener/new`);
    await heading(page, 'New filter');
    await waitForText(page, 'enter a number to compare with', '#preview');
    await page.selectOption('select[name="field.0"]', 'rsi_14');
    await waitForText(page, 'Relative strength index', '#about-0');
    await page.selectOption('select[name="op.0"]', 'lt');
    await page.fill('input[name="value.0"]', '40');
    await waitForText(page, 'All symbols whose RSI 14 is below 40.', '#preview');
    await waitForText(page, 'pass.', '#about-0');
    assert.ok((await evaluate<number>(page, 'document.querySelectorAll("#preview tbody svg").length')) > 0);
    assert.equal(await evaluate(page, 'document.activeElement.name'), 'value.0', 'the focus stays in the field');
    assert.match(page.url(), /\/screener\/new\?universe=all&.*field\.0=rsi_14&op\.0=lt&value\.0=40$/);
    await page.selectOption('select[name="op.0"]', 'between');
    await waitForText(page, 'enter the upper number', '#preview');
    await page.fill('input[name="high.0"]', '45');
    await waitForText(page, 'RSI 14 is between 40 and 45', '#preview');
    assert.deepEqual(await findViolations(page), []);
    await fillField(page, 'Name', 'Rather low');
    await press(page, 'Save the filter');
    await heading(page, 'Rather low');
    await waitForText(page, 'The filter is saved.');
    assert.deepEqual(problems, []);
  });

  test('without scripts, a filter is made with buttons, and its emails are turned on', {
    skip: noBrowser,
  }, async () => {
    const page = await newPage();
    await signInWithFilters(page, site());
    await page.goto(`${site().url}/screener`);
    await clickControl(page, { role: 'link', name: 'New filter' });
    await fillField(page, 'Number', '1.5');
    await press(page, 'Add a condition');
    await waitForText(page, 'Condition 2: enter a number to compare with');
    await press(page, 'Remove condition 2');
    await press(page, 'Preview the matches');
    await waitForText(page, 'All symbols whose change is above 1.5%.');
    await fillField(page, 'Name', 'Risen');
    await press(page, 'Save the filter');
    await heading(page, 'Risen');
    await press(page, 'Turn emails on');
    await waitForText(page, 'Emails about this filter are on.');
  });
}
