import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ConsoleBrowser, openBrowser } from '../support/api/console-browser.ts';
import { completeForecast, createCompleted } from '../support/forecasts/completed-forecasts.ts';
import {
  create,
  EMPTY_FOLDER,
  FORECASTS,
  type ForecastService,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const CO2 = { type: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2', value_field: 'co2' };
const UNNAMED = { source: CO2, horizon: 6, models: undefined };

describe(`pages of forecasts that name no models [${testedKind}]`, () => {
  let service: ForecastService;
  let browser: ConsoleBrowser;
  before(async () => {
    service = await openForecastService(testedKind, { dataFolder: EMPTY_FOLDER, bundled: EMPTY_FOLDER });
    browser = await openBrowser(service, 'enterprise');
  });
  after(() => service?.[Symbol.asyncDispose]());

  test('the page of a fast forecast says what it does without, and one that was canceled leads to another fast one', async () => {
    const { slug } = await createCompleted(service, browser.caller, { ...UNNAMED, limit: 60, mode: 'fast' });
    const { text } = await browser.get(`/forecasts/${slug}`);
    for (const words of [
      /Made in fast mode\W+No folds tested the models on the past\./,
      /In fast mode, the weights are those that do well on most series/,
      /The spread is as the models state it: the fast mode has no folds to correct it\./,
      /Mode Fast, without folds/,
    ])
      assert.match(text, words);
    assert.doesNotMatch(text, /so the weights are the default ones|too short|not enough scored rows/);
    const { data } = await create(browser.caller, { ...UNNAMED, mode: 'fast' });
    await browser.caller.request('POST', `${FORECASTS}/${data.forecast_id}/cancel`);
    const canceled = await browser.get(`/forecasts/${data.slug}`);
    const [, again = ''] = /href="(\/new\?[^"]*)">Make it again/.exec(canceled.body) ?? [];
    assert.match(again, /mode=fast/);
    assert.doesNotMatch(again, /model\./);
  });

  test('a replay of a fast forecast is fast, and is found again', async () => {
    const { slug } = await createCompleted(service, browser.caller, { ...UNNAMED, horizon: 3, mode: 'fast' });
    const path = `/forecasts/${slug}/replays`;
    assert.match((await browser.get(path)).text, /none, the mode is fast/);
    assert.equal((await browser.post(path, { cutoff: '120' })).status, 303);
    const { data } = await browser.caller.request<{ forecasts: Started[] }>('GET', FORECASTS);
    const id = data.forecasts[0]?.forecast_id ?? '';
    await completeForecast(service, id);
    const { data: replay } = await browser.caller.request<{ settings: object }>('GET', `${FORECASTS}/${id}`);
    assert.partialDeepStrictEqual(replay.settings, { mode: 'fast', models: ['theta', 'seasonal_naive'] });
    assert.match((await browser.get(`${path}?cutoff=120`)).text, /You have the replay that knew the rows/);
  });

  test('the page of a full forecast says which models cannot help, and does not miss them', async () => {
    const { slug } = await createCompleted(service, browser.caller, { ...UNNAMED, limit: 420 });
    const { text } = await browser.get(`/forecasts/${slug}`);
    assert.match(text, /ARIMA Not fitted – – –/);
    assert.match(text, /ARIMA: It cannot help on a series like this one, so it was not fitted and cost nothing\./);
    assert.match(text, /Not fitted ARIMA/);
    assert.doesNotMatch(text, /not part of the result/);
  });
});
