import type { Page } from 'playwright-core';
import type { ScriptBytes } from './script-bytes.ts';

/** Longer than any limit, so that a slow machine still gets a number. */
const TIMEOUT_MS = 40_000;

/** The milliseconds of each step. */
type Steps = readonly (readonly [step: string, ms: number])[];

/** Goes the way of a newcomer: types a query, opens the form of the first series and waits for the fan chart. */
export async function measureJourney(
  page: Page,
  url: string,
  { query, scripts }: { readonly query: string; readonly scripts: ScriptBytes },
): Promise<Steps> {
  page.setDefaultTimeout(TIMEOUT_MS);
  const steps: (readonly [string, number])[] = [];
  const step = async (name: string, act: () => Promise<unknown>) => {
    const began = performance.now();
    await act();
    steps.push([name, performance.now() - began]);
  };
  await page.goto(url);
  const forecastLink = page.locator('main a[href^="/new?"]').first();
  await step('type the query and press Enter, until a result can be opened', async () => {
    await page.locator('[data-search]').first().pressSequentially(query);
    await Promise.all([page.waitForURL(`**/search?*q=${query}*`), page.keyboard.press('Enter')]);
    await forecastLink.waitFor();
  });
  const create = page.locator('main button[data-create]');
  await step('open its form', () =>
    scripts.during(page, 'new', async () => {
      await Promise.all([page.waitForURL('**/new?*'), forecastLink.click()]);
      await create.waitFor();
    }),
  );
  await step('forecast it, until the fan chart is there', () =>
    scripts.during(page, 'forecast', async () => {
      await Promise.all([page.waitForURL('**/forecasts/*'), create.click()]);
      await page.locator('main figure :is(canvas, svg.almanac-chart):visible').first().waitFor();
    }),
  );
  return steps;
}
