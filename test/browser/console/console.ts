import { after, before, describe } from 'node:test';
import { noBrowser } from '../../support/api/browser.ts';
import { type FullSite, openFullSite } from '../../support/identity/full-site.ts';
import { testAccount } from './account.ts';
import { testAdmin } from './admin.ts';
import { testErase } from './erase.ts';
import { testErrors } from './errors.ts';
import { testFiles } from './files.ts';
import { testForecast } from './forecast.ts';
import { testForecasts } from './forecasts.ts';
import { testFrame } from './frame.ts';
import { testKeep } from './keep.ts';
import { testNew } from './new.ts';
import { testQuestions } from './questions.ts';
import { testScreener } from './screener.ts';
import { testSearch } from './search.ts';
import { testSeries } from './series.ts';
import { testStart } from './start.ts';
import { testWebhooks } from './webhooks.ts';
import { testWorkspaces } from './workspaces.ts';

/** Tests the console on a service of its own, with the browser of the file that calls it. */
export function testConsole(): void {
  describe('console', () => {
    let site: FullSite;
    before(async () => {
      if (noBrowser !== false) return;
      site = await openFullSite();
    });
    after(() => site?.[Symbol.asyncDispose]());

    testForecast(() => site);
    testStart(() => site);
    testForecasts(() => site);
    testErrors(() => site);
    testFrame(() => site);
    testSearch(() => site);
    testSeries(() => site);
    testKeep(() => site);
    testNew(() => site);
    testWorkspaces(() => site);
    testAdmin(() => site);
    testErase(() => site);
    testScreener(() => site);
    testFiles(() => site);
    testAccount(() => site);
    testWebhooks(() => site);
    testQuestions(() => site);
  });
}
