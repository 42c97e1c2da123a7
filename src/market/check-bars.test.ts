import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BarQuery, DroppedRows } from './bars.ts';
import { checkBars } from './check-bars.ts';
import type { RawBar } from './providers/provider.ts';

const NOW = Date.UTC(2025, 5, 2);
const MONDAY = Date.UTC(2024, 0, 8);
const DAY = 86_400_000;

const QUERY: BarQuery = {
  symbol: 'KNOWN',
  frequency: '1D',
  adjustment: 'raw',
  session: 'regular',
  priceSide: 'bid',
  end: NOW,
  limit: 100,
};

function bar(timestamp: unknown, changes: Partial<RawBar> = {}): RawBar {
  return { timestamp, open: 10, high: 12, low: 9, close: 11, volume: 1_000, ...changes };
}

function check(rows: readonly RawBar[], query: Partial<BarQuery> = {}, at = NOW, kind?: 'exchange' | 'plain') {
  const { bars, dropped } = checkBars(rows, { ...QUERY, ...query }, at, kind);
  return { timestamps: [...bars.timestamps], bars, dropped };
}

function assertDropped(row: RawBar, reason: keyof DroppedRows, query: Partial<BarQuery> = {}, at = NOW): void {
  const { timestamps, dropped } = check([row], query, at);
  assert.deepEqual([timestamps, dropped], [[], { [reason]: 1 }], JSON.stringify(row));
}

test('good rows come out unchanged and in order', () => {
  const rows = [bar(MONDAY + DAY, { open: 9.123456789, volume: 0 }), bar(MONDAY)];
  const { bars, dropped } = check(rows);
  assert.deepEqual([...bars.timestamps], [MONDAY, MONDAY + DAY]);
  assert.deepEqual([...bars.columns.open], [10, 9.123456789]);
  assert.deepEqual([...bars.columns.volume], [1_000, 0]);
  assert.deepEqual(dropped, {});
});

test('whatever is not a finite number is no number', () => {
  for (const value of ['10', null, undefined, Number.NaN, Number.POSITIVE_INFINITY, true, [10], {}, 10n]) {
    for (const column of ['open', 'high', 'low', 'close', 'volume']) {
      assertDroppedNumber(bar(MONDAY, { [column]: value }));
    }
  }
  function assertDroppedNumber(row: RawBar): void {
    assert.deepEqual(check([row]).dropped, { not_a_number: 1 });
  }
});

test('a daily bar is dated on a session, at 00:00 UTC', () => {
  const saturday = MONDAY + 5 * DAY;
  const holiday = Date.UTC(2024, 0, 1);
  const saturdayOf1985 = Date.UTC(1985, 0, 5);
  const wrong = [MONDAY + 1, MONDAY + 0.5, MONDAY / 1_000, String(MONDAY), null, 1e20, -1e20, Number.NaN];
  for (const timestamp of [...wrong, saturday, holiday, saturdayOf1985]) {
    assertDropped(bar(timestamp), 'bad_timestamp');
  }
  assert.deepEqual(check([bar(saturday)], {}, NOW, 'plain').timestamps, [saturday]);
  const before1990 = Date.UTC(1985, 0, 4);
  assert.deepEqual(check([bar(before1990)]).timestamps, [before1990]);
});

test('bars within the day lie on the grid of their frequency', () => {
  const quarter = MONDAY + 15 * 3_600_000 + 15 * 60_000;
  assert.deepEqual(check([bar(quarter)], { frequency: '15min' }).timestamps, [quarter]);
  assertDropped(bar(quarter + 60_000), 'bad_timestamp', { frequency: '15min' });
});

test('the request begins with its start and ends before its end', () => {
  const query = { start: MONDAY + DAY, end: MONDAY + 2 * DAY };
  assertDropped(bar(MONDAY), 'outside_the_request', query);
  assertDropped(bar(MONDAY + 2 * DAY), 'outside_the_request', query);
  assert.equal(check([bar(MONDAY + DAY)], query).timestamps.length, 1);
});

test('prices that cannot be are dropped', () => {
  assertDropped(bar(MONDAY, { low: 0 }), 'not_positive');
  assertDropped(bar(MONDAY, { open: -10, high: -9, low: -12, close: -11 }), 'not_positive');
  assertDropped(bar(MONDAY, { high: 8 }), 'high_below_low');
  assertDropped(bar(MONDAY, { open: 12.001 }), 'outside_high_and_low');
  assertDropped(bar(MONDAY, { close: 8.999 }), 'outside_high_and_low');
  assertDropped(bar(MONDAY, { volume: -1 }), 'negative_volume');
});

test('a hair outside high and low is rounding', () => {
  const rows = [bar(MONDAY, { close: 12 * (1 + 5e-10) }), bar(MONDAY + DAY, { open: 9 * (1 - 5e-10) })];
  assert.equal(check(rows).timestamps.length, 2);
});

test('the same row twice is one; rows that contradict each other are none', () => {
  const same = [bar(MONDAY), bar(MONDAY), bar(MONDAY)];
  assert.deepEqual([check(same).timestamps, check(same).dropped], [[MONDAY], { duplicate: 2 }]);
  const other = bar(MONDAY, { volume: 1_001 });
  for (const rows of [
    [bar(MONDAY), other],
    [other, bar(MONDAY), bar(MONDAY)],
  ]) {
    const { timestamps, dropped } = check(rows);
    assert.deepEqual([timestamps, dropped], [[], { duplicate: rows.length }]);
  }
  const wrong = bar(MONDAY, { volume: -1 });
  assert.deepEqual(check([wrong, bar(MONDAY)]).timestamps, [MONDAY], 'a wrong row contradicts nothing');
});

test('a day is complete when the session closes', () => {
  const close = MONDAY + 21 * 3_600_000;
  assertDropped(bar(MONDAY), 'not_completed', {}, close - 1);
  assert.equal(check([bar(MONDAY)], {}, close).timestamps.length, 1);
  assertDropped(bar(MONDAY), 'not_completed', { session: 'extended' }, close);
  assert.equal(check([bar(MONDAY)], {}, close, 'plain').timestamps.length, 0, 'the UTC day goes on');
});

test('the limit keeps the latest', () => {
  const rows = [0, 1, 2, 3, 4].map((day) => bar(MONDAY + day * DAY));
  assert.deepEqual(check(rows, { limit: 2 }).timestamps, [MONDAY + 3 * DAY, MONDAY + 4 * DAY]);
});

test('bars of a day are of the hours that were asked for', () => {
  // 2024-03-15: regular hours from 13:30Z to 20:00Z, extended ones from 08:00Z to 24:00Z.
  const at = (time: string) => Date.parse(`2024-03-15T${time}Z`);
  const times = ['07:59', '08:00', '13:29', '13:30', '19:59', '20:00', '23:59'].map((time) => at(`${time}:00`));
  const rows = times.map((timestamp) => ({ timestamp, open: 2, high: 3, low: 1, close: 2, volume: 5 }));
  const query = (session: 'regular' | 'extended', frequency: '1min' | '1h' = '1min'): BarQuery => ({
    symbol: 'XYZ',
    frequency,
    adjustment: 'raw',
    session,
    priceSide: 'bid',
    end: Date.UTC(2024, 2, 17),
    limit: 100,
  });
  const kept = (session: 'regular' | 'extended') => checkBars(rows, query(session), Date.UTC(2024, 2, 17));
  assert.deepEqual([...kept('regular').bars.timestamps], times.slice(3, 5));
  assert.deepEqual(kept('regular').dropped, { outside_the_session: 5 });
  assert.deepEqual([...kept('extended').bars.timestamps], times.slice(1));
  // The hour from 13:00Z holds the first half hour of trading; Saturday holds nothing.
  const hours = [at('12:00:00'), at('13:00:00'), at('13:00:00') + 86_400_000];
  const hourly = hours.map((timestamp) => ({ timestamp, open: 2, high: 3, low: 1, close: 2, volume: 5 }));
  const checked = checkBars(hourly, query('regular', '1h'), Date.UTC(2024, 2, 17));
  assert.deepEqual([...checked.bars.timestamps], [hours[1]]);
  assert.deepEqual(checkBars(hourly, query('regular', '1h'), Date.UTC(2024, 2, 17), 'plain').dropped, {});
});
