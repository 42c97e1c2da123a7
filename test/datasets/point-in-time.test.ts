import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyProof } from '../../src/provenance/index.ts';
import { type FredRevision, startFredServer } from '../support/datasets/fred-server.ts';
import { movableClock } from '../support/identity/identity.ts';
import { openMarketService } from '../support/market/market-service.ts';

const KEY = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const MONTHS = 48;

/** Returns a day in the month that is `month` months after January 2020. */
const dateOf = (month: number, day: number) => new Date(Date.UTC(2020, month, day)).toISOString().slice(0, 10);

/**
 * Every month is published on the tenth of the next month, and revised twice: on the tenth of the month after that, and
 * on the tenth of the following one. A value contains how often it was revised.
 */
const REVISIONS: readonly FredRevision[] = Array.from({ length: MONTHS }, (_, month) =>
  [0, 1, 2].map((revision) => ({
    date: dateOf(month, 1),
    value: valueAt(month, revision),
    published: dateOf(month + 1 + revision, 10),
  })),
).flat();

function valueAt(month: number, revision: number): number {
  return 100 + month + 10 * Math.sin(month) + revision / 8;
}

/** The rows that were known at the end of a date: the oldest first. */
function knownOn(date: string): [timestamp: string, value: number][] {
  const latest = new Map<string, number>();
  for (const { date: month, value, published } of REVISIONS) {
    if (published <= date) latest.set(month, value as number);
  }
  return [...latest].map(([month, value]) => {
    const [year = 0, number = 0] = month.split('-').map(Number);
    return [new Date(Date.UTC(year, number, 0)).toISOString(), value];
  });
}

const SOURCE = { type: 'economic_series', provider: 'fred', series_id: 'JOBS' };

test('a forecast with as_known_at_cutoff reads no number that was published later, to the day', async (context) => {
  const clock = movableClock('2024-06-01T00:00:00Z');
  const series = {
    id: 'JOBS',
    title: 'Jobs',
    frequency: 'M',
    units: 'Thousands of Persons',
    revisions: REVISIONS,
  } as const;
  await using server = await startFredServer({ key: KEY, series: [series], clock: () => clock.now().getTime() });
  await using service = await openMarketService(clock, {
    ALMANAC_ECONOMIC_PROVIDERS: 'fred',
    ALMANAC_FRED_KEY: KEY,
    ALMANAC_FRED_URL: server.url,
    ALMANAC_FRED_REQUESTS_PER_MINUTE: '6000',
  });
  const { send } = await service.account();

  const create = (body: object) =>
    send('POST', '/v1/ensemble-forecasts', {
      source: SOURCE,
      horizon: 3,
      models: ['seasonal_naive'],
      weight_mode: 'manual',
      weights: { seasonal_naive: 1 },
      ...body,
    });
  const run = async (body: object) => {
    const created = await create(body);
    assert.equal(created.status, 202, JSON.stringify(created.body));
    await service.finishJobs();
    const { body: forecast } = await send('GET', `/v1/ensemble-forecasts/${created.body.data.forecast_id}`);
    assert.equal(forecast.data.status, 'completed', JSON.stringify(forecast));
    return forecast.data;
  };
  const rowsOf = async (vintage: string) => {
    const { status, body } = await send('POST', '/v1/market-search/observations', { source: { ...SOURCE, vintage } });
    assert.equal(status, 200, JSON.stringify(body));
    return body.rows.map(({ timestamp, value }: { timestamp: string; value: number }) => [timestamp, value]);
  };

  await context.test('a vintage has exactly what stood at the end of its date', async () => {
    for (const vintage of ['2022-03-09', '2022-03-10', '2022-03-11']) {
      assert.deepEqual(await rowsOf(vintage), knownOn(vintage), vintage);
    }
    const { body } = await send('POST', '/v1/market-search/observations', {
      source: { ...SOURCE, vintage: '2022-03-10' },
    });
    const current = await send('POST', '/v1/market-search/observations', {
      source: SOURCE,
      snapshot_id: body.snapshot_id,
    });
    assert.equal(current.status, 400, 'rows of a vintage are not returned for a source without it');
    assert.match(current.body.message, /^source\.vintage: the snapshot was taken with "2022-03-10"/);
    assert.equal(knownOn('2022-03-09').length + 1, knownOn('2022-03-10').length, 'a month was published on the tenth');
  });

  await context.test('the cutoff decides the vintage by midnight in Chicago', async () => {
    const cases = [
      // One millisecond before the tenth is over there, the numbers of the tenth are not used.
      ['2022-03-11T05:59:59.999Z', '2022-03-09'],
      ['2022-03-11T06:00:00.000Z', '2022-03-10'],
      // After the clock change, midnight is an hour earlier in UTC.
      ['2022-04-11T04:59:59.999Z', '2022-04-09'],
      ['2022-04-11T05:00:00.000Z', '2022-04-10'],
    ] as const;
    for (const [cutoff, vintage] of cases) {
      const forecast = await run({ cutoff, as_known_at_cutoff: true });
      assert.equal(forecast.settings.as_known_at_cutoff, true);
      assert.equal(forecast.settings.source.vintage, vintage, cutoff);
      assert.equal(forecast.settings.cutoff, cutoff);
      assert.equal(forecast.snapshot.rows, knownOn(vintage).length);
      const known = knownOn(vintage);
      assert.equal(
        forecast.predictions[0]?.timestamp,
        nextMonthEnd(known.at(-1)?.[0] ?? ''),
        'after the last known row',
      );
    }
    for (const { query } of server.requests.filter(({ path }) => path.endsWith('/observations'))) {
      if (query.realtime_end !== undefined) assert.ok(query.realtime_end <= '2022-04-10');
    }
  });

  await context.test('the frozen rows have no value of a later date', async () => {
    const cutoff = '2022-03-11T06:00:00.000Z';
    const { forecast_id: id } = await run({ cutoff, as_known_at_cutoff: true });
    const { body: proof } = await send('GET', `/v1/ensemble-forecasts/${id}/proof`);
    assert.ok(verifyProof(JSON.stringify(proof)).valid);
    const { about } = proof.data.document.input;
    assert.equal(about.as_known_at_cutoff, true);
    assert.deepEqual([about.source.vintage, about.vintage], ['2022-03-10', 'point_in_time']);

    const current = await run({ cutoff });
    assert.equal(current.settings.source.vintage, undefined);
    assert.notEqual(current.snapshot.sha256, (await run({ cutoff, as_known_at_cutoff: true })).snapshot.sha256);
    const { body: copy } = await send('POST', `/v1/ensemble-forecasts/${id}/reproduce`);
    await service.finishJobs();
    const { body: reproduced } = await send('GET', `/v1/ensemble-forecasts/${copy.data.forecast_id}`);
    assert.equal(reproduced.data.settings.as_known_at_cutoff, true);
    assert.equal(reproduced.data.settings.source.vintage, '2022-03-10');
    assert.equal(reproduced.data.comparison.outcome, 'exact');
  });

  await context.test('a cutoff in days counts from the last current row', async () => {
    const forecast = await run({ cutoff: 365, as_known_at_cutoff: true });
    // The last row is that of December 2023, which ended with the year.
    assert.equal(forecast.settings.cutoff, '2023-01-01T00:00:00.000Z');
    assert.equal(forecast.settings.source.vintage, '2022-12-30');
    assert.equal(forecast.snapshot.rows, knownOn('2022-12-30').length);
  });

  await context.test(
    'a question of such a forecast states what was known when, and current rows resolve it',
    async () => {
      const cutoff = '2024-05-20T12:00:00.000Z';
      const ask = async (body: object) => {
        const { forecast_id } = await run({ horizon: 12, ...body });
        const question = { forecast_id, thresholds: [150], steps: [12], op: 'gt' };
        const { status, body: created } = await send('POST', '/v1/scout/from-forecast', question);
        assert.equal(status, 201, JSON.stringify(created));
        return created.data.forecasts[0];
      };
      const known = await ask({ cutoff, as_known_at_cutoff: true });
      assert.equal(known.input_cutoff_at, cutoff);
      assert.equal(known.resolution_rule.source.vintage, undefined);
      const revised = await ask({ cutoff });
      assert.equal(revised.input_cutoff_at, clock.now().toISOString(), 'the revised rows were read now');
    },
  );

  await context.test('refuses what has no meaning', async () => {
    const cutoff = '2022-03-11T06:00:00Z';
    const inline = {
      type: 'inline',
      points: Array.from({ length: 30 }, (_, day) => ({ timestamp: dateOf(0, day + 1), value: day })),
    };
    const refused: readonly (readonly [object, number, RegExp])[] = [
      [{ as_known_at_cutoff: true }, 400, /^cutoff: is required with as_known_at_cutoff/],
      [
        { as_known_at_cutoff: true, cutoff, source: { ...SOURCE, vintage: '2022-03-10' } },
        400,
        /^source\.vintage: follows from the cutoff/,
      ],
      [{ as_known_at_cutoff: true, cutoff: '2024-06-01T00:00:00.001Z' }, 400, /^cutoff: must not be in the future/],
      [{ as_known_at_cutoff: 'yes', cutoff }, 400, /as_known_at_cutoff/],
      [{ as_known_at_cutoff: true, cutoff, source: inline }, 422, /^as_known_at_cutoff: this source has no vintages/],
      [
        { as_known_at_cutoff: true, cutoff, source: { type: 'market', symbol: 'AAPL', timeframe: '1Day' } },
        422,
        /^as_known_at_cutoff: this source has no vintages/,
      ],
      [
        { as_known_at_cutoff: true, cutoff, source: { ...SOURCE, provider: 'bundled', series_id: 'us-cpi' } },
        422,
        /bundled has no vintages of "us-cpi"/,
      ],
      [
        { as_known_at_cutoff: true, cutoff: '2020-02-10T12:00:00Z' },
        422,
        /^cutoff: it needs the vintage of 2020-02-09, but the first vintage of "JOBS" is 2020-02-10/,
      ],
    ];
    for (const [body, status, message] of refused) {
      const reply = await create(body);
      assert.equal(reply.status, status, JSON.stringify(reply.body));
      assert.match(reply.body.error.message, message);
    }
    const off = await run({ as_known_at_cutoff: false, cutoff });
    assert.equal(off.settings.as_known_at_cutoff, undefined);
  });
});

function nextMonthEnd(monthEnd: string): string {
  const date = new Date(monthEnd);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 0)).toISOString();
}
