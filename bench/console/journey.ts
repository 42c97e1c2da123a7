import type { Page } from 'playwright-core';
import type { ScriptBytes } from './script-bytes.ts';

/** Longer than any limit, so that a slow machine still gets a number. */
const TIMEOUT_MS = 60_000;

interface Journey {
  readonly steps: readonly (readonly [step: string, ms: number])[];
  /** The address of the series that was found. */
  readonly series: string;
}

/** Goes the way of a newcomer: types a query, opens the first series, forecasts it and waits for the fan chart. */
export async function measureJourney(
  page: Page,
  url: string,
  { query, scripts }: { readonly query: string; readonly scripts: ScriptBytes },
): Promise<Journey> {
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
  const series = await page.locator('main a[href^="/series?"]').first().getAttribute('href');
  const create = page.locator('main button[formmethod="post"], main form[method="post"] button').first();
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
  return { steps, series: String(series) };
}
