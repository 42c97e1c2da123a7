import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { newPage, noBrowser } from '../support/api/browser.ts';
import { waitForText } from '../support/api/page-controls.ts';
import { evaluate, pollPage } from '../support/api/page-state.ts';
import { recordOutcome } from '../support/forecasts/completed-forecasts.ts';
import { FORECASTS, type Started, waitFor } from '../support/forecasts/forecast-service.ts';
import { withKey } from '../support/identity/callers.ts';
import type { FullSite } from '../support/identity/full-site.ts';
import { send, startLoopback } from '../support/platform/loopback.ts';
import { makeEvent } from '../support/scout/events.ts';
import { checkPage } from './check-page.mjs';

const options = { skip: noBrowser };

/** The folder for screenshots of the pages. Without it none are taken. */
const PICTURES = process.env.ALMANAC_PAGE_PICTURES;

const LOOKS = {
  wide: { viewport: { width: 1200, height: 800 }, colorScheme: 'light' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
} as const;

interface Forecast {
  readonly status: string;
  readonly predictions: { readonly timestamp: string; readonly quantiles: Readonly<Record<string, number>> }[];
}

/** Tests the pages of public forecasts and questions. */
export function testPublicPages(open: () => FullSite): void {
  describe('public pages', () => {
    let forecast: string;
    let question: string;
    before(async () => {
      if (noBrowser !== false) return;
      ({ forecast, question } = await publish(open()));
    });

    for (const [name, look] of Object.entries(LOOKS)) {
      test(`are accessible and complete in a ${name} window, without a script`, options, async () => {
        if (PICTURES) mkdirSync(PICTURES, { recursive: true });
        const page = await newPage({ ...look, reducedMotion: 'reduce' });
        const messages: string[] = [];
        page.on('console', (message) => messages.push(message.text()));
        for (const [picture, path, words] of [
          ['forecast', `/forecasts/${forecast}`, 'Cite and share'],
          ['question', `/questions/${question}`, 'probability of yes'],
          ['embed', `/embed/${forecast}`, 'Numbers and proof on Almanac'],
        ] as const) {
          await page.goto(`${open().url}${path}`);
          await waitForText(page, words);
          assert.deepEqual(await evaluate(page, `(${checkPage})({})`), [], path);
          // One of the two charts is shown, and its text is not scaled down.
          const shown = `[...document.querySelectorAll('.chart svg')].map((svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width).filter((scale) => scale > 0)`;
          const scales = await evaluate<number[]>(page, shown);
          assert.equal(scales.length, 1, path);
          assert.ok((scales[0] ?? 0) > 0.9, `${path}: the text has ${scales[0]} of its size`);
          if (PICTURES) await page.screenshot({ path: join(PICTURES, `${picture}-${name}.png`), fullPage: true });
        }
        assert.deepEqual(messages, [], 'the pages do nothing that their policy blocks');
      });
    }

    test('other sites can frame the embedded page and no other', options, async () => {
      const { url } = open();
      await using other = await startLoopback();
      const page = await newPage();
      for (const [path, canBeFramed] of [
        [`/embed/${forecast}`, true],
        [`/forecasts/${forecast}`, false],
        [`/forecasts/${forecast}/chart.svg`, false],
      ] as const) {
        other.reply = send(200, `<iframe src="${url}${path}"></iframe>`, { 'content-type': 'text/html' });
        await page.goto(other.url);
        const loaded = await pollPage(page, `the frame of ${path}`, async () => {
          const framed = page.frames()[1]?.url() ?? '';
          return framed === '' || framed === 'about:blank' ? false : framed;
        });
        assert.equal(loaded === `${url}${path}`, canBeFramed, `${path}: ${loaded}`);
      }
    });
  });
}

/** Creates a public forecast with half an outcome, and a public question. */
async function publish(site: FullSite): Promise<{ forecast: string; question: string }> {
  const { id } = await site.account({ password: null, plan: 'enterprise' });
  const headers = { ...(await withKey(site.identity, id)), 'content-type': 'application/json' };
  const call = async <Data>(path: string, init: RequestInit = {}): Promise<Data> => {
    const response = await fetch(`${site.url}/api${path}`, { ...init, headers });
    return ((await response.json()) as { data: Data }).data;
  };
  const body = {
    title: 'Apple through the next month',
    source: { type: 'market', symbol: 'AAPL', timeframe: '1D' },
    horizon: 20,
    models: ['theta'],
    visibility: 'public',
  };
  const created = await call<Started>(FORECASTS, { method: 'POST', body: JSON.stringify(body) });
  const completed = await waitFor(
    () => call<Forecast>(`${FORECASTS}/${created.forecast_id}`),
    ({ status }) => status === 'completed',
  );
  const rows = completed.predictions.slice(0, 10).map(({ timestamp, quantiles }, index) => ({
    step: index + 1,
    timestamp,
    actual: (quantiles['0.5'] as number) * (1 + 0.01 * Math.sin(index)),
    replayed: index < 2,
  }));
  const metrics = { count: 8, mae: 1.2, average_wql: 0.01, coverage: { '0.8': 1 }, relative_wql: 0.8 };
  await recordOutcome(site.identity.database, created.forecast_id, rows, metrics);
  const event = await makeEvent(site.identity.database, { author: id, visibility: 'public' });
  return { forecast: created.slug, question: event.slug };
}
