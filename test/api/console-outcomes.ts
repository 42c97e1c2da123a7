import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type ConsoleBrowser, openBrowser, recentRows } from '../support/api/console-browser.ts';
import { createCompleted } from '../support/forecasts/completed-forecasts.ts';
import { FORECASTS, type ForecastService, type Started } from '../support/forecasts/forecast-service.ts';

let service: ForecastService;
let owner: ConsoleBrowser;

const pageOf = ({ slug }: Started) => `/forecasts/${slug}/outcome`;

async function readActuals({ forecast_id: id }: Started): Promise<(readonly [step: number, actual: number])[]> {
  const { data } = await owner.caller.request<{ rows: { step: number; actual: number }[] }>(
    'GET',
    `${FORECASTS}/${id}/outcome`,
  );
  return data.rows.map(({ step, actual }) => [step, actual] as const);
}

/** Tests the page on which the actual values of a forecast are entered. */
export function testOutcomes(open: () => ForecastService): void {
  describe('actual values of a forecast', () => {
    before(async () => {
      service = open();
      owner = await openBrowser(service, 'enterprise');
    });

    test('values are entered by period, in either notation, and wrong ones record nothing', async () => {
      const forecast = await createCompleted(service, owner.caller, { title: 'Past' });
      const path = pageOf(forecast);
      assert.ok((await owner.get(`/forecasts/${forecast.slug}`)).body.includes(`href="${path}"`));
      assert.match((await owner.get(`/forecasts/${forecast.slug}`)).text, /All periods are over: enter them now\./);
      const page = await owner.get(path);
      const fields = page.body.match(/name="value_\d+"/g)?.length ?? 0;
      assert.ok(fields > 1, 'one field for each period');
      const refusals: readonly (readonly [Record<string, string>, RegExp])[] = [
        [{}, /Enter at least one value/],
        [{ value_1: '<b>' }, /enter a number, such as 120\.5 or 120,5/],
        [{ value_1: '1e999' }, /enter a number/],
        [{ value_1: '22.500' }, /22\.500 can mean 22500 or 22\.5\. Write 22500 or 22\.5000/],
        [{ value_1: '1e300' }, /must be between/],
        [{ value_1: '5', lines: '1999-01-01;3' }, /Line 1: the forecast has no period with the date 1999-01-01/],
        [{ lines: 'nonsense' }, /Line 1: write a date, a semicolon and a value/],
        [{ [`value_${fields}`]: '3' }, /The last period completes the outcome/],
      ];
      for (const [entered, message] of refusals) {
        const refused = await owner.post(path, entered);
        assert.equal(refused.status, 400, JSON.stringify(entered));
        assert.match(refused.text, message);
      }
      assert.deepEqual(await readActuals(forecast), []);

      const sent = await owner.post(path, { value_1: '1.118,25', value_2: '-1,5' });
      assert.deepEqual([sent.status, sent.location], [303, `/forecasts/${forecast.slug}`]);
      assert.match((await owner.get(`/forecasts/${forecast.slug}`)).text, /The values are recorded/);
      assert.ok(!(await owner.get(path)).body.includes('name="value_1"'), 'a recorded period is not offered');
      const changed = await owner.post(path, { value_1: '7' });
      assert.equal(changed.status, 409);
      assert.match(changed.text, /Recorded values are not changed/);
      assert.deepEqual(await readActuals(forecast), [
        [1, 1118.25],
        [2, -1.5],
      ]);
      assert.equal((await owner.post(path, { [`value_${fields}`]: '3', end: 'on' })).status, 303);
      assert.match((await owner.get(path)).text, /The outcome is complete/);
    });

    test('a period that is not over is not offered, and refused if it is sent', async () => {
      const forecast = await createCompleted(service, owner.caller, { source: recentRows(), title: 'Ahead' });
      assert.match((await owner.get(`/forecasts/${forecast.slug}`)).text, /Enter them when their periods are over\./);
      const page = await owner.get(pageOf(forecast));
      assert.match(page.text, /There is nothing to enter.*No period without a value is over yet/);
      const early = await owner.post(pageOf(forecast), { value_2: '5' });
      assert.equal(early.status, 422);
      assert.match(early.text, /is final at/);
      assert.deepEqual(await readActuals(forecast), []);
    });
  });
}
