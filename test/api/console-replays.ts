import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { openBrowser } from '../support/api/console-browser.ts';
import { completeForecast } from '../support/forecasts/completed-forecasts.ts';
import { type Caller, FORECASTS, type ForecastService, type Started } from '../support/forecasts/forecast-service.ts';
import { type PageVisitor, pageVisitor } from '../support/identity/page-visitor.ts';

const SOURCE = { type: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2', value_field: 'co2' };

/** Tests the page of replays, on a service without a worker. */
export function testReplays(open: () => ForecastService): void {
  describe('replays', () => {
    let service: ForecastService;
    let owner: Caller;
    let visitor: PageVisitor;
    let path: string;

    before(async () => {
      service = open();
      owner = await service.guest();
      visitor = pageVisitor(service.app);
      const [name = '', secret = ''] = (owner.credentials.cookie ?? '').split('=');
      visitor.cookies.set(name, secret);
      path = `/forecasts/${await complete({ source: SOURCE })}/replays`;
    });

    /** Creates a small forecast with its result. @returns its slug */
    async function complete(fields: object): Promise<string> {
      const body = { horizon: 3, models: ['ets'], limit: 40, ...fields };
      const { data, body: text } = await owner.request<Started>('POST', FORECASTS, body);
      assert.ok(data, text);
      await completeForecast(service, data.forecast_id);
      return data.slug;
    }

    async function countForecasts(): Promise<number> {
      const { data } = await owner.request<{ readonly forecasts: readonly object[] }>('GET', FORECASTS);
      return data.forecasts.length;
    }

    test('a replay is made when it is asked for, with its cost shown before, and is found again', async () => {
      const offer = await visitor.get(path);
      assert.equal(offer.status, 200, offer.text);
      assert.match(offer.text, /This replay knows the rows until Jan 1, 2020 and forecasts 3 months from there\./);
      assert.match(offer.text, /\d+ credits\b.* You have \d+ credits left/);
      assert.match(offer.text, /No replay yet/);
      assert.equal(await countForecasts(), 1, 'looking makes no forecast');

      const made = await visitor.post(path, { cutoff: '120' });
      assert.equal(made.status, 303, made.text);
      assert.equal(made.location, path);
      assert.equal((await visitor.post(path, { cutoff: '120' })).location, path);
      assert.equal((await visitor.post(path, { cutoff: '2020-01-01' })).location, path, 'the same cutoff as a day');
      assert.equal(await countForecasts(), 2);

      const { data } = await owner.request<{ readonly forecasts: readonly Started[] }>('GET', FORECASTS);
      await completeForecast(service, data.forecasts[0]?.forecast_id ?? '');
      // A key is kept for a day only. Without it, the replay is found among the forecasts of the visitor.
      await service.database.query<{ idempotency_key: object }>().deleteFrom('idempotency_key').execute();
      assert.equal((await visitor.post(path, { cutoff: '120' })).location, path);
      assert.equal(await countForecasts(), 2);

      const shown = await visitor.get(`${path}?cutoff=120`);
      assert.match(shown.text, /You have the replay that knew the rows until Jan 1, 2020/);
      assert.match(shown.text, /120 days earlier [0-3] of 3 [\d.]+ [\d.]+/);
      assert.match(shown.text, /Its 80% interval held [0-3] of 3 values that came\./);
      assert.equal(shown.body.match(/<figure data-cursor>/g)?.length, 2);
      // Nine months before the origin and three after it: the forecast takes a quarter of the width.
      assert.equal(shown.body.match(/The history has 10 rows from/g)?.length, 2);
      assert.doesNotMatch(shown.body, /style=/);
    });

    test('a replay that the page does not show is found by its cutoff and is not made again', async () => {
      const browser = await openBrowser(service, 'enterprise');
      const body = { horizon: 3, models: ['ets'], limit: 40, source: SOURCE };
      const { data: original } = await browser.caller.request<Started>('POST', FORECASTS, body);
      await completeForecast(service, original.forecast_id);
      const own = `/forecasts/${original.slug}/replays`;
      const cutoffs = ['100', '140', '170', '200', '230', '260', '290'];
      for (const cutoff of cutoffs) assert.equal((await browser.post(own, { cutoff })).status, 303, cutoff);
      await service.database.query<{ idempotency_key: object }>().deleteFrom('idempotency_key').execute();
      assert.equal((await browser.post(own, { cutoff: '290' })).location, own);
      const { data } = await browser.caller.request<{ readonly forecasts: readonly object[] }>('GET', FORECASTS);
      assert.equal(data.forecasts.length, 1 + cutoffs.length);
      const count = (page: string) => page.match(/<section class="card stack" id="replay-/g)?.length;
      const all = await browser.get(own);
      assert.equal(count(all.body), 7, 'the forecast and six replays');
      assert.match(all.text, /There are more replays/);
      assert.match(all.body, /<meta http-equiv="refresh" content="10">/);
      const asked = await browser.get(`${own}?cutoff=290`);
      assert.match(asked.text, /You have the replay that knew the rows until [^.]*\. It is below\./);
      assert.equal(count(asked.body), 8);
    });

    test('a cutoff that cannot be used is explained beside the field, and nothing is made', async () => {
      const before = await countForecasts();
      for (const [typed, error] of [
        ['0', 'from 1 to 36,500'],
        ['-5', 'from 1 to 36,500'],
        ['1.5', 'from 1 to 36,500'],
        ['99999999', 'from 1 to 36,500'],
        ['yesterday', 'Cutoff is not a day'],
        ['', 'Cutoff is not a day'],
        ['2020-02-31', 'Cutoff is not a day'],
        ['2031-01-01', 'before the last row of this forecast, Apr 30, 2020'],
        ['"><script>', 'Cutoff is not a day'],
      ] as const) {
        const looked = await visitor.get(`${path}?${new URLSearchParams({ cutoff: typed })}`);
        assert.equal(looked.status, 200);
        assert.match(looked.body, /<p class="error" id="cutoff-error">/, typed);
        assert.ok(looked.text.includes(error), `${typed}: ${looked.text}`);
        assert.doesNotMatch(looked.body, /"><script>/);
        assert.equal((await visitor.post(path, { cutoff: typed })).status, 400, typed);
      }
      const early = await visitor.get(`${path}?cutoff=36000`);
      assert.match(early.text, /The series is too short/);
      assert.equal((await visitor.post(path, { cutoff: '36000' })).status, 422);
      assert.equal(await countForecasts(), before);
    });

    test('only forecasts whose rows can be read again are replayed', async () => {
      const points = Array.from({ length: 12 }, (_, i) => ({
        timestamp: new Date(Date.UTC(2024, 0, 1 + i)),
        value: i,
      }));
      const slug = await complete({ source: { type: 'inline', points } });
      const reply = await visitor.get(`/forecasts/${slug}/replays`);
      assert.equal(reply.status, 200);
      assert.match(reply.text, /This forecast cannot be replayed/);
      assert.equal((await visitor.post(`/forecasts/${slug}/replays`, { cutoff: '120' })).status, 422);
    });

    test('a forecast of another stays hidden from a newcomer, and looking makes no guest', async () => {
      const newcomer = pageVisitor(service.app);
      assert.equal((await newcomer.get(path)).status, 404);
      assert.equal(newcomer.cookies.size, 0);
      assert.equal((await newcomer.get(`${path}?cutoff=120`)).status, 404);
      assert.equal((await newcomer.post(path, { cutoff: '120' })).status, 404);
      const foreign = { headers: { origin: 'https://evil.example' } };
      assert.equal((await visitor.post(path, { cutoff: '180' }, foreign)).status, 403);
      assert.doesNotMatch(
        (await pageVisitor(service.app).get('/forecasts/%22%3E%3Cscript%3E/replays')).body,
        /"><script>/,
      );
      assert.equal((await visitor.get('/forecasts/nothing/replays')).status, 404);
    });
  });
}
