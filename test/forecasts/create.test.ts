import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isCompleted } from '../../src/calendar/index.ts';
import type { ForecastSettings } from '../../src/forecasts/settings.ts';
import type { JobTables } from '../../src/forecasts/tables.ts';
import { readSnapshot } from '../../src/snapshots/index.ts';
import {
  create,
  dailyPoints,
  FORECASTS,
  type ForecastService,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const DAY = 86_400_000;
const APPLE = { type: 'market', symbol: 'AAPL', timeframe: '1D' };
const PRICES = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };

const kind = testedKind;
describe(`creating a forecast [${kind}]`, () => {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(kind);
  });
  after(() => service?.[Symbol.asyncDispose]());

  /** What was stored for a request that is taken: settings, and the rows that were frozen. */
  async function stored(fields: object) {
    const { status, data, body } = await create(await service.account(), fields);
    assert.equal(status, 202, body);
    const row = await service.database
      .query<JobTables>()
      .selectFrom('forecast')
      .selectAll()
      .where('id', '=', data.forecast_id)
      .executeTakeFirstOrThrow();
    const snapshot = await readSnapshot(service.jobs, row.snapshot_id);
    assert.ok(snapshot);
    const [values] = Object.values(snapshot.table.columns);
    const settings: ForecastSettings = row.settings;
    return { row, settings, snapshot, timestamps: [...snapshot.table.timestamps], values: [...(values ?? [])] };
  }

  test('the answer has the shape of reproduce, and the forecast is queued', async () => {
    const person = await service.account();
    const { status, data } = await create(person, { title: 'Sales, next week!' });
    assert.equal(status, 202);
    const { forecast_id, slug, ...rest } = data;
    assert.match(forecast_id, /^ef_[0-9A-HJKMNP-TV-Z]{26}$/i);
    assert.match(slug, /^sales-next-week-[0-9a-f]{8}$/);
    const url = `/api${FORECASTS}/${forecast_id}`;
    assert.deepEqual(rest, {
      status: 'queued',
      progress: { completed_models: 0, total_models: 2, current_model: null },
      status_url: url,
      result_url: url,
    });
    assert.equal((await person.ask<Started>('GET', `${FORECASTS}/${slug}`)).data.forecast_id, forecast_id);
  });

  test('what is left out has a default', async () => {
    const { row, settings } = await stored({ models: undefined });
    assert.deepEqual(settings, {
      cadence: { frequency: '1D', kind: 'plain' },
      horizon: 3,
      quantiles: [0.1, 0.25, 0.5, 0.75, 0.9],
      models: ['prophet', 'toto', 'ets', 'theta', 'arima'],
      weightMode: 'auto',
      weights: null,
      weightingPolicy: 'rolling_loss_selection_v2',
      transform: 'auto',
      seed: 1,
      cutoff: null,
      source: null,
    });
    assert.deepEqual([row.visibility, row.workspace_id, row.title], ['private', null, null]);
    assert.deepEqual(Object.keys(row.checkpoints), settings.models);
  });

  test('inline rows are frozen as they came, and are not repeated in the request', async () => {
    const points = dailyPoints();
    const { row, timestamps, values } = await stored({ source: { type: 'inline', points } });
    assert.deepEqual(
      timestamps,
      points.map(({ timestamp }) => Date.parse(timestamp)),
    );
    assert.deepEqual(
      values,
      points.map(({ value }) => value),
    );
    assert.deepEqual((row.request as { source: object }).source, { type: 'inline' });
  });

  test('bars of a market: the source as it was resolved is stored', async () => {
    const { settings, timestamps } = await stored({ source: APPLE, limit: 60 });
    assert.equal(timestamps.length, 60);
    assert.deepEqual(settings.cadence, { frequency: '1D', kind: 'exchange', hours: 'regular' });
    assert.partialDeepStrictEqual(settings.source, { ...APPLE, provider: 'bundled', value_field: 'close' });
  });

  test('an economic series', async () => {
    const { settings, timestamps } = await stored({ source: PRICES, limit: 50 });
    assert.equal(timestamps.length, 50);
    assert.equal(settings.cadence.kind, 'plain');
    assert.partialDeepStrictEqual(settings.source, PRICES);
  });

  for (const days of [120, 180]) {
    test(`a cutoff ${days} days back is taken before the limit: market`, async () => {
      const all = await stored({ source: APPLE, limit: 400 });
      const cut = await stored({ source: APPLE, limit: 50, cutoff: days });
      const cutoff = Date.parse(cut.settings.cutoff ?? '');
      const before = all.timestamps.filter((time) => isCompleted(cut.settings.cadence, time, cutoff));
      assert.equal(cut.timestamps.length, 50, 'the limit is filled with rows before the cutoff');
      assert.deepEqual(cut.timestamps, before.slice(-50));
      const lastBar = all.timestamps.at(-1) ?? Number.NaN;
      const behind = (lastBar - (cut.timestamps.at(-1) ?? 0)) / DAY;
      assert.ok(behind >= days && behind < days + 6, `${behind} days behind`);
    });

    test(`a cutoff ${days} days back is taken before the limit: inline`, async () => {
      const points = dailyPoints(300);
      const { timestamps, settings } = await stored({ source: { type: 'inline', points }, limit: 50, cutoff: days });
      assert.deepEqual(
        timestamps,
        points.slice(250 - days, 300 - days).map(({ timestamp }) => Date.parse(timestamp)),
      );
      assert.equal(settings.cutoff, points[300 - days]?.timestamp, 'the end of the last day, so many days back');
    });
  }

  test('a cutoff at an instant: only days that had ended by then', async () => {
    const points = dailyPoints(60);
    const at = (cutoff: string) => stored({ source: { type: 'inline', points }, cutoff });
    const noon = await at('2024-02-10T12:00:00Z');
    assert.equal(noon.timestamps.at(-1), Date.UTC(2024, 1, 9));
    assert.equal(noon.settings.cutoff, '2024-02-10T12:00:00.000Z');
    const midnight = await at('2024-02-11T00:00:00Z');
    assert.equal(midnight.timestamps.at(-1), Date.UTC(2024, 1, 10));
  });

  test('the frequency of inline rows: inferred, or as it is named', async () => {
    const monthly = Array.from({ length: 40 }, (_, i) => ({
      timestamp: new Date(Date.UTC(2020, i, 1)).toISOString(),
      value: 50 + i,
    }));
    const source = { type: 'inline', points: monthly };
    assert.equal((await stored({ source })).settings.cadence.frequency, '1MS');
    assert.equal((await stored({ source, frequency: '1MS' })).settings.cadence.frequency, '1MS');
    const person = await service.account();
    for (const [fields, message] of [
      [{ frequency: '1W-MON' }, /^source\.points: /],
      [{ frequency: 'daily' }, /^frequency: "daily" is not a frequency/],
      [{ source: APPLE, frequency: '1h' }, /^frequency: the series is 1D/],
    ] as const) {
      const refused = await create(person, fields);
      assert.equal(refused.code, 'INVALID_REQUEST', refused.body);
      assert.match(JSON.parse(refused.body).error.message, message);
    }
  });

  test('the view has the settings in the words of the request, with nothing left open', async () => {
    const person = await service.account();
    const settingsOf = async (fields: object) => {
      const { data } = await create(person, fields);
      const view = await person.ask<{ settings: object }>('GET', `${FORECASTS}/${data.forecast_id}`);
      assert.equal(view.status, 200, view.body);
      return view.data.settings;
    };
    assert.deepEqual(await settingsOf({ models: ['theta', 'ets'], quantiles: [0.9, 0.5] }), {
      frequency: '1D',
      series_kind: 'plain',
      hours: null,
      horizon: 3,
      quantiles: [0.5, 0.9],
      models: ['ets', 'theta'],
      weight_mode: 'auto',
      weights: null,
      weighting_policy: 'rolling_loss_selection_v2',
      transform: 'auto',
      seed: 1,
      cutoff: null,
      source: null,
    });
    const weights = { theta: 3, ets: 1 };
    const market = { source: APPLE, cutoff: 120, limit: 60, weight_mode: 'manual', weights, seed: 7 };
    assert.partialDeepStrictEqual(await settingsOf(market), {
      series_kind: 'exchange',
      hours: 'regular',
      weights,
      seed: 7,
      source: { ...APPLE, provider: 'bundled', value_field: 'close' },
    });
  });

  test('a reproduction of a reproduction is named as the first one', async () => {
    const person = await service.account();
    let { data } = await create(person, { source: APPLE, limit: 60 });
    const slugs = new Set<string>();
    for (let time = 0; time < 3; time += 1) {
      assert.match(data.slug, /^aapl-1d-3-[0-9a-f]{8}$/);
      slugs.add(data.slug);
      ({ data } = await person.ask<Started>('POST', `${FORECASTS}/${data.forecast_id}/reproduce`));
    }
    assert.equal(slugs.size, 3);
  });

  test('a forecast takes a slot, reserves its credits and holds its rows', async () => {
    const { row } = await stored({});
    const db = service.database.query<JobTables & { snapshot_holder: { snapshot_id: string; holder: string } }>();
    const slot = await db.selectFrom('admission').selectAll().where('owner', '=', row.owner).executeTakeFirst();
    assert.equal(slot?.active, 1);
    const entries = await db
      .selectFrom('ledger_entry')
      .select(['ledger_account', 'amount'])
      .where('forecast_id', '=', row.id)
      .orderBy('ledger_account')
      .execute();
    assert.deepEqual(entries, [
      { ledger_account: 'available', amount: -row.credits },
      { ledger_account: 'reserved', amount: row.credits },
    ]);
    const held = await db.selectFrom('snapshot_holder').selectAll().where('holder', '=', row.id).execute();
    assert.deepEqual(
      held.map(({ snapshot_id }) => snapshot_id),
      [row.snapshot_id],
    );
  });
});
