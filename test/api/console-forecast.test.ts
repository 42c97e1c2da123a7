import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { pageReader } from '../support/api/public-pages.ts';
import { createCompleted, recordOutcome } from '../support/forecasts/completed-forecasts.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const CO2 = { type: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2', value_field: 'co2' };
const HOSTILE = '<script>alert(1)</script>"&\'';

describe(`the page of a forecast in the console [${testedKind}]`, () => {
  let service: ForecastService;
  let guest: Caller;
  let completed: Started;
  let read: ReturnType<typeof pageReader>;
  before(async () => {
    service = await openForecastService(testedKind);
    guest = await service.guest();
    read = pageReader(service.app);
    completed = await createCompleted(service, guest, {
      source: CO2,
      limit: 60,
      horizon: 6,
      models: ['theta', 'ets'],
      title: HOSTILE,
    });
  });
  after(() => service?.[Symbol.asyncDispose]());

  const open = (caller: Caller, name: string, query = '') =>
    read(`/forecasts/${name}${query}`, { headers: caller.credentials });
  const run = (statement: ReturnType<typeof sql>) => statement.execute(service.database.query());

  test('shows the result, the audit in words and everything it was made of, escaped and without inline code', async () => {
    const { status, body, headers } = await open(guest, completed.slug);
    assert.equal(status, 200);
    assert.deepEqual([headers['cache-control'], headers.vary], ['no-store', 'Cookie']);
    assert.match(headers['content-security-policy'] ?? '', /script-src 'self'; style-src 'self'/);
    for (const words of [
      /the middle of the forecast is <strong>[\d.]+ ppm<\/strong>/,
      /On 6 months that it had not seen, .*held \d of 6\./,
      /Weights by quantile/,
      /Calibration of the spread/,
      /<h2 id="folds">/,
      /SHA-256 of the rows/,
      /Checkpoints and fingerprint/,
      /Atmospheric CO2/,
    ])
      assert.match(body, words);
    assert.ok(!body.includes('<script>alert'), 'the title is escaped');
    assert.ok(!/\sstyle=|<style|<script(?! type="application\/json"| type="module" src="\/assets\/)/.test(body));
  });

  test('is the public page for readers without a session, and a console page for visitors with one', async () => {
    const owner = await service.account('free');
    const { slug, forecast_id } = await createCompleted(service, owner, { visibility: 'public' });
    const reader = await read(`/forecasts/${slug}`, { headers: { 'accept-encoding': 'gzip' } });
    assert.deepEqual([reader.status, reader.headers['cache-control']], [200, 'public, max-age=60']);
    assert.match(reader.headers.vary ?? '', /^Cookie/);
    for (const cookie of ['__Host-almanac_guest=alm_gst_unknown', '__Host-almanac_session=x', 'other=1']) {
      const stale = await read(`/forecasts/${slug}`, { headers: { cookie } });
      assert.deepEqual([stale.status, stale.headers.etag], [200, reader.headers.etag], cookie);
    }
    const visitor = await read(`/forecasts/${slug}`, { headers: { ...guest.credentials, 'accept-encoding': 'gzip' } });
    assert.deepEqual([visitor.status, visitor.headers['content-encoding']], [200, undefined], 'it is not compressed');
    assert.match(visitor.body, /class="public console"/);
    assert.match(visitor.body, /The rows that this forecast was made from are not shown\./);
    assert.ok(!('etag' in visitor.headers));
    const byId = await open(owner, forecast_id);
    assert.deepEqual([byId.status, byId.headers.location], [303, `/forecasts/${slug}`]);
    assert.equal((await read(`/forecasts/${forecast_id}`)).status, 404, 'ids are not public');
  });

  test('does not exist for visitors that may not read it, however the address is spelled', async () => {
    const [other, missing] = [await service.guest(), 'nothing-ever-was-here'];
    const hidden = await open(other, completed.slug);
    const unknown = await open(other, missing);
    assert.deepEqual([hidden.status, hidden.body.replaceAll(completed.slug, missing)], [404, unknown.body]);
    for (const name of [completed.forecast_id, `${completed.slug}%00`, '%27%22%3Cb%3E', 'a'.repeat(5_000)]) {
      const { status, body, headers } = await open(other, name);
      assert.ok([400, 404].includes(status), name.slice(0, 40));
      assert.match(headers['content-type'] ?? '', /^text\/html/);
      assert.ok(!body.includes('<b>'));
    }
    assert.equal((await read(`/forecasts/${completed.slug}`)).status, 404);
    assert.equal((await open(guest, completed.slug, '?from=%3Cscript%3E&to=x&to=y')).status, 200);
  });

  test('shows the models while they run, then why there is no result', async () => {
    const caller = await service.guest();
    const { slug, forecast_id: id } = (
      await create(caller, { source: CO2, horizon: 6, models: ['ets', 'theta', 'arima'] })
    ).data;
    const queued = await open(caller, slug);
    assert.match(queued.body, /<noscript><meta http-equiv="refresh" content="3"><\/noscript>/);
    assert.equal(queued.body.match(/data-model-state>Waiting/g)?.length, 3);
    await run(sql`UPDATE forecast SET status = 'running',
      progress = '{"completed_models":1,"total_models":3,"current_model":"theta"}' WHERE id = ${id}`);
    const running = await open(caller, slug);
    assert.match(running.body, /1 of 3 models are done\./);
    assert.deepEqual(
      [...running.body.matchAll(/data-model-state>(\w+)/g)].map(([, word]) => word),
      ['Done', 'Running', 'Running'],
    );
    assert.equal((await caller.request('POST', `${FORECASTS}/${id}/cancel`)).status, 200);
    const canceled = await open(caller, slug);
    assert.match(canceled.body, /This forecast was canceled.*href="\/new\?[^"]*">Make it again</s);
    assert.ok(!canceled.body.includes('http-equiv="refresh"'));
    const error = JSON.stringify({ code: 'ALL_MODELS_FAILED', message: HOSTILE, retryable: false });
    await run(sql`UPDATE forecast SET error = ${error}::jsonb WHERE id = ${id}`);
    const failed = await open(caller, slug);
    assert.match(failed.body, /did not complete.*&lt;script&gt;.*Error code <code>ALL_MODELS_FAILED/s);
    const reasons = 'Every model failed. ets: It did not converge. theta: TOO_SHORT.';
    const known = JSON.stringify({ code: 'ALL_MODELS_FAILED', message: reasons, retryable: false });
    await run(sql`UPDATE forecast SET error = ${known}::jsonb WHERE id = ${id}`);
    const explained = await open(caller, slug);
    assert.match(
      explained.body,
      /No model could make .*<li>ETS: It did not converge\.<\/li>\s*<li>Theta: too short\.<\/li>/s,
    );
    assert.match(explained.body, /href="\/new\?[^"]*model\.ets=on[^"]*">Change the settings</);
    for (const { body } of [queued, running, canceled, failed])
      assert.doesNotMatch(body, /Sign in and save it|Replay the past/);
  });

  test('shows what happened afterwards, and how a reproduction compares', async () => {
    const caller = await service.account('free');
    const { slug, forecast_id: id } = await createCompleted(service, caller);
    const { data } = await caller.request<{ predictions: { timestamp: string; quantiles: Record<string, number> }[] }>(
      'GET',
      `${FORECASTS}/${id}`,
    );
    const rows = data.predictions.slice(0, 2).map(({ timestamp, quantiles }, i) => ({
      step: i + 1,
      timestamp,
      actual: Number(quantiles['0.5']),
    }));
    await recordOutcome(service.database, id, rows, {
      count: 2,
      mae: 0,
      average_wql: 0,
      coverage: {},
      relative_wql: 0.5,
    });
    const shown = await open(caller, slug);
    assert.match(shown.body, /<strong>2 of 2<\/strong> scored values lay inside/);
    assert.match(shown.body, /"outcome":\[\{"step":1,/);
    const comparison = JSON.stringify({ outcome: 'differs', largest_difference: 0.25 });
    await run(sql`UPDATE forecast SET comparison = ${comparison}::jsonb, is_copy = true WHERE id = ${id}`);
    const compared = await open(caller, slug);
    assert.match(
      compared.body,
      /The reproduction differs.*repeats one that has since been deleted, and its result is different\..*0\.25 standard deviations/s,
    );
    assert.match(compared.body, /The rows that this forecast was made from are not shown/);
  });
});
