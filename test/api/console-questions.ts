import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type ConsoleBrowser, openBrowser, recentRows } from '../support/api/console-browser.ts';
import { createCompleted } from '../support/forecasts/completed-forecasts.ts';
import { create, type ForecastService, type Started } from '../support/forecasts/forecast-service.ts';
import { makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';

let service: ForecastService;
let owner: ConsoleBrowser;
let forecast: Started;
let path: string;

const QUESTION = { op: 'gt', threshold: '123.5', step: '2', visibility: 'private' };

async function countQuestions(browser = owner): Promise<number> {
  const url = `/v1/forecasts?source_forecast_id=${forecast.forecast_id}&limit=100`;
  return (await browser.caller.request<{ forecasts: object[] }>('GET', url)).data.forecasts.length;
}

/** Tests the page on which questions are asked from a forecast. */
export function testQuestions(open: () => ForecastService): void {
  describe('questions from a forecast', () => {
    before(async () => {
      service = open();
      owner = await openBrowser(service, 'enterprise');
      forecast = await createCompleted(service, owner.caller, { source: recentRows(), title: 'Rain' });
      path = `/forecasts/${forecast.slug}/questions`;
    });

    test('the form names each period, suggests the middle and says how probable the answer is', async () => {
      const page = await owner.get(path);
      assert.equal(page.status, 200);
      assert.match(page.text, /the middle of the forecast is [\d.]+ and its 80% range is [\d.]+ to [\d.]+/);
      assert.match(page.text, /No question has been asked/);
      assert.equal(page.body.match(/<option value="\d"/g)?.length, 3);
      assert.match(page.body, /name="threshold"[^>]* value="\d+(\.\d+)?"/);
      // A script lets only a value that the page suggests follow the period.
      assert.match(page.body, /<form[^>]* data-suggested/);
      assert.doesNotMatch((await owner.get(`${path}?threshold=123.5`)).body, /data-suggested/);
      assert.match(page.body, /data-steps="[\d.]+ [\d.]+ [\d.]+"/);
    });

    test('a question is asked once, however often its form is sent', async () => {
      const asked = await owner.post(path, QUESTION);
      assert.deepEqual([asked.status, asked.location], [303, path]);
      const page = await owner.get(path);
      assert.match(page.text, /The question is open.*123\.5.*%.*Open/);
      await owner.post(path, QUESTION);
      assert.match((await owner.get(path)).text, /You already have this question/);
      const twins = { ...QUESTION, op: 'lte' };
      await Promise.all([1, 2, 3].map(() => owner.post(path, twins)));
      assert.equal(await countQuestions(), 2);
      await owner.post(path, { ...QUESTION, step: '3', visibility: 'public' });
      assert.match((await owner.get(path)).body, /<a class="tap" href="\/questions\/[a-z0-9-]+">/);
      assert.equal(await countQuestions(), 3);
    });

    test('the probability of a threshold is shown before it is asked, from the address, and nothing is stored', async () => {
      const before = await countQuestions();
      const page = await owner.get(`${path}?op=lt&step=1&threshold=100`);
      assert.equal(page.status, 200);
      const { data } = await owner.caller.request<{ questions: { probability: number; question: string }[] }>(
        'POST',
        '/v1/scout/from-forecast/preview',
        { forecast_id: forecast.forecast_id, thresholds: [100], steps: [1], op: 'lt' },
      );
      const [preview] = data.questions;
      assert.ok(page.text.includes(preview?.question ?? '?'));
      assert.match(page.body, /data-threshold=""/);
      assert.match(page.text, /How probable other values are/);
      assert.ok((page.body.match(/>Choose<\/a>/g)?.length ?? 0) > 5, 'other values are links');
      assert.match((await owner.get(`${path}?op=lt&step=1&threshold=1.100,50`)).text, /be below 1,100\.5 /);
      assert.match((await owner.get(`${path}?op=lt&step=1&threshold=1,100`)).text, /be below 1,100 /);
      assert.equal(await countQuestions(), before);
      for (const wrong of ['threshold=many', 'threshold=', 'op=eq', 'step=99', 'step=0', 'threshold=1&threshold=2']) {
        const refused = await owner.get(`${path}?${wrong}`);
        assert.ok(refused.status === 400 || (wrong.includes('&') && refused.status === 200), wrong);
      }
      const { code } = await owner.caller.request('POST', '/v1/scout/from-forecast/preview', { forecast_id: 'none' });
      assert.equal(code, 'NOT_FOUND');
    });

    test('wrong fields are named, keep what was entered and ask nothing', async () => {
      const before = await countQuestions();
      for (const [fields, reason] of [
        [{ threshold: '' }, /Value: enter a number/],
        [{ threshold: '1e999' }, /Value: enter a number/],
        [{ threshold: '<script>' }, /Value: enter a number/],
        [{ threshold: '123,500' }, /Value: 123,500 can mean 123500 or 123\.5\. Write 123500 or 123\.5000\./],
        [{ threshold: '1e16' }, /10{15}|1e\+?15|1000000000000000/],
        [{ op: 'eq' }, /Condition: choose/],
        [{ step: '0' }, /Period: choose/],
        [{ step: '4' }, /Period: choose/],
        [{ step: '1.5' }, /Period: choose/],
        [{ visibility: 'workspace' }, /Visible to: choose/],
        [{ visibility: '' }, /Visible to: choose/],
      ] as const) {
        const refused = await owner.post(path, { ...QUESTION, ...fields });
        assert.equal(refused.status, 400, JSON.stringify(fields));
        assert.match(refused.text, reason);
        assert.ok(!refused.body.includes('<script>'));
        if (fields !== undefined && !('threshold' in fields)) assert.ok(refused.body.includes('value="123.5"'));
      }
      assert.equal((await owner.post(path, {})).status, 400);
      assert.equal(await countQuestions(), before);
    });

    test('guests, other accounts, unfinished and past forecasts get the reason instead of a form', async () => {
      const guest = await openBrowser(service, 'guest');
      const own = await createCompleted(service, guest.caller);
      const page = await guest.get(`/forecasts/${own.slug}/questions`);
      assert.match(page.text, /A question needs an account/);
      assert.equal((await guest.post(`/forecasts/${own.slug}/questions`, QUESTION)).status, 403);
      const other = await openBrowser(service, 'pro');
      assert.equal((await other.post(path, QUESTION)).status, 404);
      const { data: queued } = await create(owner.caller);
      assert.match((await owner.get(`/forecasts/${queued.slug}/questions`)).text, /The forecast is queued/);
      const past = await createCompleted(service, owner.caller);
      const ended = /Every period of this forecast has ended.*Newer rows are needed first/;
      assert.match((await owner.get(`/forecasts/${past.slug}/questions`)).text, ended);
      const shown = await owner.get(`/forecasts/${past.slug}`);
      assert.match(shown.text, ended);
      assert.doesNotMatch(shown.text, /Ask a question/, 'what would be refused is not offered');
      assert.match((await owner.get(`/forecasts/${forecast.slug}`)).text, /Ask a question/);
      const late = await owner.post(`/forecasts/${past.slug}/questions`, QUESTION);
      assert.equal(late.status, 422);
      assert.match(late.text, /The period \w+ \d+, 2024 is over, so its outcome is known/);
      assert.doesNotMatch(late.text, /almanac scout/);
    });

    test('a question can be asked for the members of the workspace, by a member whose role allows it', async () => {
      const { id: workspace } = await makeWorkspace(service.database, String(owner.caller.accountId));
      const viewer = await openBrowser(service, 'pro');
      await makeMember(service.database, workspace, String(viewer.caller.accountId));
      const fields = { source: recentRows(), workspace_id: workspace, visibility: 'workspace' };
      const shared = await createCompleted(service, owner.caller, fields);
      const address = `/forecasts/${shared.slug}/questions`;
      const question = { ...QUESTION, visibility: 'workspace' };
      assert.equal((await owner.post(address, question)).status, 303);
      const shown = await viewer.get(address);
      assert.match(shown.text, /123\.5/);
      assert.doesNotMatch(shown.body, /<option value="workspace"/, 'a choice that would be refused is not offered');
      assert.match((await owner.get(address)).body, /<option value="workspace"/);
      const refused = await viewer.post(address, { ...question, op: 'lt' });
      assert.equal(refused.status, 403);
      assert.match(refused.text, /role/);
    });
  });
}
