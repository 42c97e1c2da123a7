import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isCompleted } from '../../src/calendar/index.ts';
import { ForecastRequestBody } from '../../src/contract/index.ts';
import { createForecast } from '../../src/forecasts/index.ts';
import type { ForecastSettings, ForecastTables } from '../../src/forecasts/tables.ts';
import { readSnapshot, type SeriesSource } from '../../src/snapshots/index.ts';
import {
  create,
  dailyPoints,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const APPLE = { type: 'market', symbol: 'AAPL', timeframe: '1D' } as const;
const PRICES = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };

type About = { readonly mark: string };

const kind = testedKind;
describe(`creating a forecast [${kind}]`, () => {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(kind);
  });
  after(() => service?.[Symbol.asyncDispose]());

  /** Creates a forecast and returns what was stored for it: its row, its settings and its frozen rows. */
  async function createStored(fields: object) {
    const { status, data, body } = await create(await service.account(), fields);
    assert.equal(status, 202, body);
    const row = await service.database
      .query<ForecastTables>()
      .selectFrom('forecast')
      .selectAll()
      .where('id', '=', data.forecast_id)
      .executeTakeFirstOrThrow();
    const snapshot = await readSnapshot(service.forecasts, row.snapshot_id);
    assert.ok(snapshot);
    const [values] = Object.values(snapshot.table.columns);
    const settings: ForecastSettings = row.settings;
    return { row, settings, snapshot, timestamps: [...snapshot.table.timestamps], values: [...(values ?? [])] };
  }

  test('returns the queued forecast, which its slug also finds', async () => {
    const caller = await service.account();
    const { status, data } = await create(caller, { title: 'Sales, next week!' });
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
    assert.equal((await caller.request<Started>('GET', `${FORECASTS}/${slug}`)).data.forecast_id, forecast_id);
  });

  test('fills in the defaults of omitted fields', async () => {
    const { row, settings } = await createStored({ models: undefined });
    assert.deepEqual(settings, {
      cadence: { frequency: '1D', kind: 'plain' },
      horizon: 3,
      quantiles: [0.1, 0.25, 0.5, 0.75, 0.9],
      models: ['toto', 'arima', 'seasonal_naive', 'mstl'],
      weightMode: 'auto',
      weights: null,
      weightingPolicy: 'rolling_loss_selection_v2',
      transform: 'auto',
      seed: 1,
      cutoff: null,
      source: null,
      notFittedModels: ['prophet', 'ets', 'theta'],
    });
    assert.deepEqual([row.visibility, row.workspace_id, row.title], ['private', null, null]);
    assert.deepEqual(Object.keys(row.checkpoints), settings.models);
  });

  test('freezes inline rows unchanged and does not store them in the request', async () => {
    const points = dailyPoints();
    const { row, timestamps, values } = await createStored({ source: { type: 'inline', points } });
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

  test('two forecasts of the same inline rows have nothing in common that names their owner', async () => {
    const caller = await service.account();
    const abouts: object[] = [];
    for (let time = 0; time < 2; time++) {
      const { data } = await create(caller);
      const { snapshot } = (
        await caller.request<{ snapshot: { id: string } }>('GET', `${FORECASTS}/${data.forecast_id}`)
      ).data;
      abouts.push((await readSnapshot(service.forecasts, snapshot.id))?.about ?? {});
    }
    const [{ mark: first, ...about }, { mark: second, ...otherAbout }] = abouts as [About, About];
    assert.notEqual(first, second);
    assert.match(first, /^[0-9a-f]{32}$/);
    assert.deepEqual(about, otherAbout);
    assert.deepEqual(about, { kind: 'forecast_input', source: { type: 'inline' }, frequency: '1D' });
  });

  test('rows in another order, or with plain dates, give the same input', async () => {
    const points = dailyPoints(60);
    const shuffled = points.map((_, i) => points[(i * 7) % 60] ?? {});
    const dated = points.map(({ timestamp, value }) => ({ timestamp: timestamp.slice(0, 10), value }));
    const caller = await service.account();
    const stored = new Set<string>();
    for (const rows of [points, shuffled, points.toReversed(), dated.toReversed()]) {
      const fields = { source: { type: 'inline', points: rows }, limit: 50, cutoff: 5 };
      const { data, body } = await create(caller, fields);
      const forecast = await service.database
        .query<ForecastTables>()
        .selectFrom('forecast')
        .select(['snapshot_id', 'settings', 'credits'])
        .where('id', '=', data?.forecast_id)
        .executeTakeFirst();
      assert.ok(forecast, body);
      const { snapshot_id, ...others } = forecast;
      const snapshot = await readSnapshot(service.forecasts, snapshot_id);
      stored.add(JSON.stringify({ ...others, table: snapshot?.table }));
      assert.equal(snapshot?.table.timestamps[0], Date.parse('2024-01-06'));
      await caller.request('POST', `${FORECASTS}/${data.forecast_id}/cancel`);
    }
    assert.equal(stored.size, 1, [...stored].join('\n'));
  });

  test('a repeated request may send its rows in another order', async () => {
    const caller = await service.account();
    const points = dailyPoints();
    const send = async (rows: readonly object[]) => {
      const response = await service.app.inject({
        method: 'POST',
        url: `/api${FORECASTS}`,
        headers: { ...caller.credentials, 'idempotency-key': 'any-order' },
        payload: inlineRequest({ source: { type: 'inline', points: rows } }),
      });
      return { status: response.statusCode, id: response.json().data?.forecast_id };
    };
    const first = await send(points);
    assert.equal(first.status, 202);
    assert.deepEqual(await send(points.toReversed()), first);
    assert.equal((await send(points.toReversed().slice(1))).status, 409);
  });

  test('stores the resolved source of market bars', async () => {
    const { settings, timestamps } = await createStored({ source: APPLE, limit: 60 });
    assert.equal(timestamps.length, 60);
    assert.deepEqual(settings.cadence, { frequency: '1D', kind: 'exchange', hours: 'regular' });
    assert.partialDeepStrictEqual(settings.source, { ...APPLE, provider: 'bundled', value_field: 'close' });
  });

  test('freezes only the column that the source chose', async () => {
    const { forecasts } = service;
    const bars = forecasts.sources.of(APPLE);
    const several: SeriesSource = {
      ...bars,
      read: async (reference, window) => {
        const rows = await bars.read(reference, window);
        const { close } = rows.table.columns;
        assert.ok(close);
        const columns = { open: close.map((value) => value + 1), close };
        return { ...rows, table: { ...rows.table, columns } };
      },
    };
    const sources = { ...forecasts.sources, of: () => several };
    const guest = { kind: 'guest', guestId: 'gst_columns' } as const;
    const request = ForecastRequestBody.parse({ source: APPLE, limit: 60, horizon: 3, models: ['theta'] });
    const options = { idempotencyKey: null, network: null };
    const id = await createForecast({ ...forecasts, sources }, guest, request, options);
    const { snapshot_id } = await service.database
      .query<ForecastTables>()
      .selectFrom('forecast')
      .select('snapshot_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const snapshot = await readSnapshot(forecasts, snapshot_id);
    const { table } = await bars.read(APPLE, { limit: 60 });
    assert.deepEqual(snapshot?.table, table);
  });

  test('stores the resolved source of an economic series', async () => {
    const { settings, timestamps } = await createStored({ source: PRICES, limit: 50 });
    assert.equal(timestamps.length, 50);
    assert.equal(settings.cadence.kind, 'plain');
    assert.partialDeepStrictEqual(settings.source, PRICES);
  });

  // The last bar is dated 2018-05-11, in summer. 120 days before is a session in winter, 180 days before a Sunday.
  for (const [days, close] of [
    [120, '2018-01-11T21:00:00.000Z'],
    [180, '2017-11-10T21:00:00.000Z'],
  ] as const) {
    test(`applies a cutoff of ${days} days before the limit to market bars`, async () => {
      const all = await createStored({ source: APPLE, limit: 400 });
      const cut = await createStored({ source: APPLE, limit: 50, cutoff: days });
      const cutoff = Date.parse(cut.settings.cutoff ?? '');
      const before = all.timestamps.filter((time) => isCompleted(cut.settings.cadence, time, cutoff));
      assert.equal(cut.timestamps.length, 50, 'the limit is filled with rows before the cutoff');
      assert.deepEqual(cut.timestamps, before.slice(-50));
      const lastBar = all.timestamps.at(-1) ?? Number.NaN;
      assert.equal(lastBar, Date.UTC(2018, 4, 11));
      assert.equal(cut.settings.cutoff, close);
      assert.equal(new Date(cut.timestamps.at(-1) ?? 0).toISOString().slice(0, 10), close.slice(0, 10));
    });

    test(`applies a cutoff of ${days} days before the limit to inline rows`, async () => {
      const points = dailyPoints(300);
      const { timestamps, settings } = await createStored({
        source: { type: 'inline', points },
        limit: 50,
        cutoff: days,
      });
      assert.deepEqual(
        timestamps,
        points.slice(250 - days, 300 - days).map(({ timestamp }) => Date.parse(timestamp)),
      );
      assert.equal(settings.cutoff, points[300 - days]?.timestamp, 'counted back from the end of the last day');
    });
  }

  test('a cutoff at an instant excludes days that had not ended by then', async () => {
    const points = dailyPoints(60);
    const at = (cutoff: string) => createStored({ source: { type: 'inline', points }, cutoff });
    const noon = await at('2024-02-10T12:00:00Z');
    assert.equal(noon.timestamps.at(-1), Date.UTC(2024, 1, 9));
    assert.equal(noon.settings.cutoff, '2024-02-10T12:00:00.000Z');
    const midnight = await at('2024-02-11T00:00:00Z');
    assert.equal(midnight.timestamps.at(-1), Date.UTC(2024, 1, 10));
  });

  test('infers the frequency of inline rows unless the request names it', async () => {
    const monthly = Array.from({ length: 40 }, (_, i) => ({
      timestamp: new Date(Date.UTC(2020, i, 1)).toISOString(),
      value: 50 + i,
    }));
    const source = { type: 'inline', points: monthly };
    assert.equal((await createStored({ source })).settings.cadence.frequency, '1MS');
    assert.equal((await createStored({ source, frequency: '1MS' })).settings.cadence.frequency, '1MS');
    const caller = await service.account();
    for (const [fields, code, message] of [
      [{ frequency: '1W-MON' }, 'UNPROCESSABLE', /^frequency: .* The rows are 1D\./],
      [{ frequency: 'daily' }, 'INVALID_REQUEST', /^frequency: "daily" is not a frequency/],
      [{ source: APPLE, frequency: '1h' }, 'UNPROCESSABLE', /^frequency: the series is 1D/],
    ] as const) {
      const refused = await create(caller, fields);
      assert.equal(refused.code, code, refused.body);
      assert.match(JSON.parse(refused.body).error.message, message);
    }
  });

  test('shows the resolved settings with the field names of the request', async () => {
    const caller = await service.account();
    const settingsOf = async (fields: object) => {
      const { data } = await create(caller, fields);
      const view = await caller.request<{ settings: object }>('GET', `${FORECASTS}/${data.forecast_id}`);
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

  test('the slug of a reproduced forecast names the same subject', async () => {
    const caller = await service.account();
    let { data } = await create(caller, { source: APPLE, limit: 60 });
    const slugs = new Set<string>();
    for (let i = 0; i < 3; i += 1) {
      assert.match(data.slug, /^aapl-1d-3-[0-9a-f]{8}$/);
      slugs.add(data.slug);
      ({ data } = await caller.request<Started>('POST', `${FORECASTS}/${data.forecast_id}/reproduce`));
    }
    assert.equal(slugs.size, 3);
  });

  test('takes a slot, reserves credits and holds the snapshot', async () => {
    const { row } = await createStored({});
    const db = service.database.query<ForecastTables & { snapshot_holder: { snapshot_id: string; holder: string } }>();
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
    const holders = await db.selectFrom('snapshot_holder').selectAll().where('holder', '=', row.id).execute();
    assert.deepEqual(
      holders.map(({ snapshot_id }) => snapshot_id),
      [row.snapshot_id],
    );
  });
});
