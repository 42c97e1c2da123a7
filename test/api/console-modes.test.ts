import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
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
      /In fast mode, the weights are the default ones: no folds choose others\. At each quantile, the values/,
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

  test('the page of a result of an earlier engine describes its method, and claims nothing about its spread', async () => {
    const { slug, forecast_id: id } = await createCompleted(service, browser.caller, {
      ...UNNAMED,
      limit: 60,
      models: ['theta', 'ets'],
    });
    for (const [method, words] of [
      ['mostly_pretrained', /Toto has three fifths, the other models share the rest:/],
      ['inverse_loss', /Models with a smaller loss in the folds have more weight\./],
      ['greedy_selection', /Models were added one after the other/],
    ] as const) {
      const earlier = JSON.stringify({ selected_method: method, calibration: { lower: 0.9, upper: 1, rows: 30 } });
      await sql`UPDATE forecast SET result = jsonb_set(result::jsonb, '{weighting}', (result->'weighting')::jsonb || ${earlier}::jsonb)::json
        WHERE id = ${id}`.execute(service.database.query());
      const { text } = await browser.get(`/forecasts/${slug}`);
      assert.match(text, words);
      assert.match(text, /At each quantile, the values of the models are averaged with these weights\./);
      assert.match(text, /the spread was too wide in the folds, so it is 10% narrower \(times 0\.9\d*\)\./);
      assert.doesNotMatch(text, /The spread around the median|starting width|start from the width/);
    }
  });

  test('with toto, pages state where the weights and the spread are from, and miss no model that does not help', async () => {
    await using withToto = await openForecastService(testedKind);
    const visitor = await openBrowser(withToto, 'enterprise');
    const pageOf = async (fields: object) => {
      const { slug } = await createCompleted(withToto, visitor.caller, { ...UNNAMED, limit: 60, ...fields });
      return (await visitor.get(`/forecasts/${slug}`)).text;
    };
    const full = await pageOf({});
    for (const words of [
      /The weights moved from those before the test on the past toward the models with the smaller losses in the folds\./,
      /The medians of the models are averaged with the weights at 50%\. The spread around the median is that of Toto\./,
      /The number below each weight of the median is the weight before the test on the past, which did well on other/,
      /The factors start from the width that suits most series of this kind, and 30 scored rows of the folds moved them\./,
      /ETS Not fitted – – –/,
      /ETS: It does not lower the errors on series like this one, so it was not fitted and cost nothing\./,
      /Toto 100% 100% \d+% before the test \d+% 100% 100%/,
    ])
      assert.match(full, words);
    assert.doesNotMatch(full, /not part of the result|in the folds, so it is/);

    const fast = await pageOf({ mode: 'fast' });
    for (const words of [
      /The weights and the width of the spread are those that suit most series of this kind\./,
      /In fast mode, the weights are those that do well on most series of this kind: no folds choose others\./,
      /The spread has its starting width, which suits most series of this kind: 2% wider than the models state it: the fast mode/,
    ])
      assert.match(fast, words);

    const short = await pageOf({ limit: 12 });
    assert.match(
      short,
      /The weights are those that do well on most series of this kind: the folds could not adjust them\./,
    );
    assert.match(short, /2% wider than the models state it: there were not enough scored rows to correct it\./);
    assert.match(
      short,
      /too short for the folds to choose weights, so the weights and the width of the spread are those/,
    );

    const wide = await pageOf({ limit: 12, quantiles: [0.05, 0.5, 0.9, 0.95] });
    assert.match(
      wide,
      /is the weighted average of those of Prophet, Theta, and Seasonal naive; at 90%, it is that of Toto\./,
    );
  });
});
