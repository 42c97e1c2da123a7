import { after, afterEach, before, describe } from 'node:test';
import { closeVisitors, noBrowser } from '../support/api/browser.ts';
import { type FullSite, openFullSite } from '../support/identity/full-site.ts';
import { testErrors } from './console/errors.ts';
import { testForecast } from './console/forecast.ts';
import { testForecasts } from './console/forecasts.ts';
import { testKeep } from './console/keep.ts';
import { testNew } from './console/new.ts';
import { testSearch } from './console/search.ts';
import { testSeries } from './console/series.ts';
import { testStart } from './console/start.ts';

// All tests share one browser and one service, because starting them takes longer than most tests.
afterEach((test) => closeVisitors('passed' in test && test.passed === true));

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
  testSearch(() => site);
  testSeries(() => site);
  testKeep(() => site);
  testNew(() => site);
});
