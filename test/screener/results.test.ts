import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCREENER_FIELDS, SCREENER_LEVELS, SCREENER_OPS } from '../../src/contract/index.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { completeRun, deleteRuns, insertMetrics } from '../support/screener/filters.ts';

const ALERTS = '/v1/me/screener-alerts';
const ABOVE = { name: 'Above ten', universe: 'all', all: [{ field: 'close', op: 'gt', value: 10 }] };

let service: ForecastService;

before(async () => {
  service = await openForecastService(testedKind);
});

after(() => service?.[Symbol.asyncDispose]());

interface Fields {
  readonly session: string | null;
  readonly fields: readonly {
    readonly field: string;
    readonly unit: string | null;
    readonly operators: string[];
    readonly distribution: {
      count: number;
      missing: number;
      quantiles: { level: number; value: number }[];
    } | null;
  }[];
}

test('lists the fields with the distribution of their values in the latest session', async () => {
  const { request } = await service.account();
  await deleteRuns(service.database);
  const none = await request<Fields>('GET', '/v1/screener/fields');
  assert.deepEqual([none.data.session, none.data.fields[0]?.distribution], [null, null]);

  const rows = Array.from({ length: 101 }, (_, i) => [`S${i}`, { close: i, ...(i < 40 && { sma_200: 7 }) }]);
  await insertMetrics(service.database, '2026-04-01', { OLD: { close: 1e6 } });
  await completeRun(service.database, '2026-04-01');
  await insertMetrics(service.database, '2026-04-02', { ...Object.fromEntries(rows), ONLY_LISTED: { close: 1e6 } });
  await service.database
    .query<{ daily_metrics: { symbol: string; shared: boolean } }>()
    .updateTable('daily_metrics')
    .set({ shared: false })
    .where('symbol', '=', 'ONLY_LISTED')
    .execute();
  // A session whose run has not completed does not count.
  await insertMetrics(service.database, '2026-04-06', { LATER: { close: 5 } });
  await completeRun(service.database, '2026-04-02');

  const { data, status } = await request<Fields>('GET', '/v1/screener/fields');
  assert.deepEqual([status, data.session], [200, '2026-04-02']);
  assert.deepEqual(
    data.fields.map(({ field }) => field),
    [...SCREENER_FIELDS],
  );
  const of = (name: string) => data.fields.find(({ field }) => field === name) ?? assert.fail(name);
  assert.deepEqual(of('close').operators, [...SCREENER_OPS]);
  const close = of('close').distribution ?? assert.fail();
  assert.deepEqual([close.count, close.missing], [101, 0]);
  assert.deepEqual(
    close.quantiles.map(({ level, value }) => [level, Math.round(value * 1e6) / 1e6]),
    SCREENER_LEVELS.map((level) => [level, Math.round(level * 100)]),
  );
  assert.deepEqual(
    [of('sma_200').distribution?.count, of('sma_200').distribution?.missing, of('sma_200').distribution?.quantiles[5]],
    [40, 61, { level: SCREENER_LEVELS[5], value: 7 }],
  );
  assert.deepEqual(of('rsi_14').distribution, { count: 0, missing: 101, quantiles: [] });
  assert.deepEqual([of('change_pct').unit, of('volume').unit], ['percent', 'shares']);
  assert.deepEqual((await request<Fields>('GET', '/v1/screener/fields')).data, data);

  await completeRun(service.database, '2026-04-06');
  const next = await request<Fields>('GET', '/v1/screener/fields');
  assert.deepEqual([next.data.session, next.data.fields[0]?.distribution?.count], ['2026-04-06', 1]);
  assert.equal((await request('GET', '/v1/screener/fields?session=2026-04-02')).status, 400);
});

interface Sessions {
  readonly sessions: readonly { session: string; total: number; new_total: number; completed_at: string | null }[];
  readonly next_cursor: string | null;
}

interface Matches {
  readonly total: number;
  readonly new_total: number;
  readonly matches: readonly { symbol: string; new: boolean; recent_closes: number[] }[];
  readonly next_cursor: string | null;
}

test('shows what is new: in the list of filters, by session and among the matches', async () => {
  const { request } = await service.account();
  await deleteRuns(service.database);
  const { data: filter } = await request<{ id: string }>('POST', ALERTS, ABOVE);
  const path = `${ALERTS}/${filter.id}`;
  const closesOf = (close: number) => ({ close, recent_closes: [close - 1, close] });
  await insertMetrics(service.database, '2026-04-07', { B: closesOf(20), C: closesOf(30) });
  await completeRun(service.database, '2026-04-07');
  const many = Object.fromEntries(['A', 'B', 'D', 'E'].map((symbol, i) => [symbol, closesOf(11 + i)]));
  await insertMetrics(service.database, '2026-04-08', { ...many, Z: { close: 1 } });
  await completeRun(service.database, '2026-04-08');
  const { data: late } = await request<{ id: string }>('POST', ALERTS, { ...ABOVE, name: 'Late' });

  const { data: list } = await request<{ alerts: { latest: object }[] }>('GET', ALERTS);
  assert.deepEqual(
    list.alerts.map(({ latest }) => latest),
    [
      {
        session: '2026-04-08',
        evaluated: true,
        total: 4,
        new_total: 3,
        first_matches: [
          { symbol: 'A', new: true },
          { symbol: 'D', new: true },
          { symbol: 'E', new: true },
          { symbol: 'B', new: false },
        ],
      },
      { session: '2026-04-08', evaluated: false, total: 0, new_total: 0, first_matches: [] },
    ],
  );

  const { data: first } = await request<Sessions>('GET', `${path}/sessions?limit=1`);
  const { data: second } = await request<Sessions>('GET', `${path}/sessions?limit=1&cursor=${first.next_cursor}`);
  assert.deepEqual(
    [...first.sessions, ...second.sessions].map(({ completed_at, ...counts }) => {
      assert.ok(completed_at);
      return counts;
    }),
    [
      { session: '2026-04-08', total: 4, new_total: 3 },
      { session: '2026-04-07', total: 2, new_total: 2 },
    ],
  );
  assert.equal(second.next_cursor, null);
  assert.deepEqual((await request<Sessions>('GET', `${ALERTS}/${late.id}/sessions`)).data.sessions, []);

  const { data: fresh } = await request<Matches>('GET', `${path}/matches?new=true&limit=2`);
  assert.deepEqual([fresh.total, fresh.new_total], [4, 3]);
  assert.deepEqual(fresh.matches[0], { symbol: 'A', new: true, values: { close: 11 }, recent_closes: [10, 11] });
  const { data: rest } = await request<Matches>('GET', `${path}/matches?new=true&cursor=${fresh.next_cursor}`);
  assert.deepEqual(
    [...fresh.matches, ...rest.matches].map(({ symbol }) => symbol),
    ['A', 'D', 'E'],
  );
  const { universe, all } = ABOVE;
  const preview = await request<Matches>('POST', `${ALERTS}/preview`, { universe, all });
  assert.deepEqual(preview.data.matches[1]?.recent_closes, [11, 12]);

  const another = await service.account();
  assert.equal((await another.request('GET', `${path}/sessions`)).status, 404);
  for (const query of [
    `sessions?cursor=${fresh.next_cursor}`,
    'sessions?cursor=x',
    'sessions?limit=101',
    'sessions?limit=0',
    `matches?cursor=${fresh.next_cursor}`,
    'matches?new=false',
  ])
    assert.equal((await request('GET', `${path}/${query}`)).status, 400, query);
});
