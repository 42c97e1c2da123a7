import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS, type SeriesKind } from '../calendar/index.ts';
import type { BarQuery, DroppedRows } from './bars.ts';
import { checkBars } from './check-bars.ts';
import type { RawBar } from './providers/provider.ts';

const NOW = Date.UTC(2025, 5, 2);
const MONDAY = Date.UTC(2024, 0, 8);

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

function check(rows: readonly RawBar[], query: Partial<BarQuery> = {}, at = NOW, kind?: SeriesKind) {
  const { bars, dropped } = checkBars(rows, { ...QUERY, ...query }, at, kind);
  return { timestamps: [...bars.timestamps], bars, dropped };
}

function assertDropped(row: RawBar, reason: keyof DroppedRows, query: Partial<BarQuery> = {}, at = NOW): void {
  const { timestamps, dropped } = check([row], query, at);
  assert.deepEqual([timestamps, dropped], [[], { [reason]: 1 }], JSON.stringify(row));
}

test('returns valid rows unchanged and in order', () => {
  const rows = [bar(MONDAY + DAY_MS, { open: 9.123456789, volume: 0 }), bar(MONDAY)];
  const { bars, dropped } = check(rows);
  assert.deepEqual([...bars.timestamps], [MONDAY, MONDAY + DAY_MS]);
  assert.deepEqual([...bars.columns.open], [10, 9.123456789]);
  assert.deepEqual([...bars.columns.volume], [1_000, 0]);
  assert.deepEqual(dropped, {});
});

test('drops values that are not finite numbers', () => {
  for (const value of ['10', null, undefined, Number.NaN, Number.POSITIVE_INFINITY, true, [10], {}, 10n]) {
    for (const column of ['open', 'high', 'low', 'close', 'volume']) {
      assertDroppedNumber(bar(MONDAY, { [column]: value }));
    }
  }
  function assertDroppedNumber(row: RawBar): void {
    assert.deepEqual(check([row]).dropped, { not_a_number: 1 });
  }
});

test('drops daily bars that are not dated 00:00 UTC of a session', () => {
  const saturday = MONDAY + 5 * DAY_MS;
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

test('drops intraday bars off the grid of their frequency', () => {
  const quarter = MONDAY + 15 * HOUR_MS + 15 * MINUTE_MS;
  assert.deepEqual(check([bar(quarter)], { frequency: '15min' }).timestamps, [quarter]);
  assertDropped(bar(quarter + MINUTE_MS), 'bad_timestamp', { frequency: '15min' });
});

test('drops bars before the start and bars at or after the end', () => {
  const query = { start: MONDAY + DAY_MS, end: MONDAY + 2 * DAY_MS };
  assertDropped(bar(MONDAY), 'outside_the_request', query);
  assertDropped(bar(MONDAY + 2 * DAY_MS), 'outside_the_request', query);
  assert.equal(check([bar(MONDAY + DAY_MS)], query).timestamps.length, 1);
});

test('drops impossible prices', () => {
  assertDropped(bar(MONDAY, { low: 0 }), 'not_positive');
  assertDropped(bar(MONDAY, { open: -10, high: -9, low: -12, close: -11 }), 'not_positive');
  assertDropped(bar(MONDAY, { high: 8 }), 'high_below_low');
  assertDropped(bar(MONDAY, { open: 12.001 }), 'outside_high_and_low');
  assertDropped(bar(MONDAY, { close: 8.999 }), 'outside_high_and_low');
  assertDropped(bar(MONDAY, { volume: -1 }), 'negative_volume');
});

test('accepts a rounding error beyond high and low', () => {
  const rows = [bar(MONDAY, { close: 12 * (1 + 5e-10) }), bar(MONDAY + DAY_MS, { open: 9 * (1 - 5e-10) })];
  assert.equal(check(rows).timestamps.length, 2);
});

test('keeps one of several equal rows, and none of several contradictory rows', () => {
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
  assert.deepEqual(check([wrong, bar(MONDAY)]).timestamps, [MONDAY], 'an invalid row does not contradict a valid one');
});

test('drops prices and volumes that are too large to be real', () => {
  assertDropped(bar(MONDAY, { high: 1.1e12 }), 'absurd');
  assertDropped(bar(MONDAY, { open: 1e300, high: 1e300, low: 1e300, close: 1e300 }), 'absurd');
  assertDropped(bar(MONDAY, { volume: 1e308 }), 'absurd');
  const largest = bar(MONDAY, { open: 1e12, high: 1e12, low: 1e12, close: 1e12, volume: 1e15 });
  assert.equal(check([largest]).timestamps.length, 1);
});

const level = (price: number): Partial<RawBar> => ({ open: price, high: price, low: price, close: price });

/** Checks the days of a week with these prices, and returns the places of those that are kept. */
function checkPrices(prices: readonly (number | Partial<RawBar>)[]) {
  const days = prices.map((_, i) => MONDAY + i * DAY_MS);
  const rows = prices.map((price, i) => bar(days[i], typeof price === 'number' ? level(price) : price));
  const { timestamps, dropped } = check(rows.toReversed());
  return { kept: timestamps.map((time) => days.indexOf(time)), dropped };
}

test('drops a single bar far above or far below both neighbors', () => {
  assert.deepEqual(checkPrices([1.08, 1.09, 501, 1.08, 1.07]), { kept: [0, 1, 3, 4], dropped: { absurd: 1 } });
  assert.deepEqual(checkPrices([108, 109, 1.07, 108, 107]), { kept: [0, 1, 3, 4], dropped: { absurd: 1 } });
  const wick = { ...level(1.08), high: 501 };
  assert.deepEqual(checkPrices([1.08, wick, 1.08]), { kept: [0, 2], dropped: { absurd: 1 } });
  assert.deepEqual(checkPrices([1, 100, 1, 0.01, 1]).dropped, {}, 'not more than a hundredfold');
  assert.deepEqual(checkPrices([1, 150, 20_000, 1]), { kept: [0, 3], dropped: { absurd: 2 } }, 'behind a dropped one');
});

test('keeps a lasting change of the level, and does not judge the first and the last bar', () => {
  for (const prices of [
    [5_000, 5_100, 25, 26, 25],
    [0.01, 0.012, 3, 3.1, 3.2],
    [501, 1.08, 1.09],
    [1.08, 1.09, 501],
    [1.08, 501, 501, 1.08],
  ]) {
    assert.deepEqual(checkPrices(prices), { kept: [...prices.keys()], dropped: {} }, String(prices));
  }
});

test('a limit does not hide the neighbors of a bar', () => {
  const rows = [1, 501, 1].map((price, day) => bar(MONDAY + day * DAY_MS, level(price)));
  assert.deepEqual(check(rows, { limit: 2 }).timestamps, [MONDAY, MONDAY + 2 * DAY_MS]);
});

test('reports which dropped rows a correct reply cannot have', () => {
  const other = bar(MONDAY, { volume: 1_001 });
  const isInvalid = (rows: readonly RawBar[], at = NOW) => {
    const reported: unknown[] = [];
    checkBars(rows, { ...QUERY, start: MONDAY }, at, 'exchange', (drop) => reported.push([drop.rows, drop.isInvalid]));
    return reported;
  };
  assert.deepEqual(isInvalid([bar(MONDAY), bar(MONDAY)]), [[1, false]]);
  assert.deepEqual(isInvalid([bar(MONDAY), bar(MONDAY), other]), [[3, true]]);
  assert.deepEqual(isInvalid([other, bar(MONDAY), bar(MONDAY)]), [[3, true]]);
  assert.deepEqual(isInvalid([bar(MONDAY - 3 * DAY_MS), bar(MONDAY + 5 * DAY_MS)]), [
    [1, false],
    [1, false],
  ]);
  assert.deepEqual(isInvalid([bar(MONDAY)], MONDAY + HOUR_MS), [[1, false]]);
  for (const row of [bar(MONDAY + 1), bar('2024-01-08'), bar(MONDAY, { open: null }), bar(MONDAY, { low: 0 })]) {
    assert.deepEqual(isInvalid([row]), [[1, true]]);
  }
});

test('completes a day when the session closes', () => {
  const close = MONDAY + 21 * HOUR_MS;
  assertDropped(bar(MONDAY), 'not_completed', {}, close - 1);
  assert.equal(check([bar(MONDAY)], {}, close).timestamps.length, 1);
  assertDropped(bar(MONDAY), 'not_completed', { session: 'extended' }, close);
  assert.equal(check([bar(MONDAY)], {}, close, 'plain').timestamps.length, 0, 'the UTC day continues');
});

test('keeps the latest bars up to the limit', () => {
  const rows = [0, 1, 2, 3, 4].map((day) => bar(MONDAY + day * DAY_MS));
  assert.deepEqual(check(rows, { limit: 2 }).timestamps, [MONDAY + 3 * DAY_MS, MONDAY + 4 * DAY_MS]);
});

test('drops intraday bars outside the requested hours', () => {
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
  const hours = [at('12:00:00'), at('13:00:00'), at('13:00:00') + DAY_MS];
  const hourly = hours.map((timestamp) => ({ timestamp, open: 2, high: 3, low: 1, close: 2, volume: 5 }));
  const checked = checkBars(hourly, query('regular', '1h'), Date.UTC(2024, 2, 17));
  assert.deepEqual([...checked.bars.timestamps], [hours[1]]);
  assert.deepEqual(checkBars(hourly, query('regular', '1h'), Date.UTC(2024, 2, 17), 'plain').dropped, {});
});

test('drops bars of a currency on Saturdays and outside its trading hours', () => {
  const flat = (time: string): RawBar => bar(Date.parse(time), { open: 10, high: 10, low: 10, close: 10, volume: 0 });
  const days = ['2024-01-05', '2024-01-06', '2024-01-07', '2024-01-08'].map(flat);
  const { timestamps, dropped } = check(days, {}, NOW, 'currency');
  assert.deepEqual(
    timestamps,
    [days[0], days[2], days[3]].map((row) => row?.timestamp),
  );
  assert.deepEqual(dropped, { bad_timestamp: 1 });
  // Friday closes at 22:00Z, and the clocks go forward before Sunday's open at 21:00Z.
  const times = [
    '2024-03-08T21:00Z',
    '2024-03-08T22:00Z',
    '2024-03-09T12:00Z',
    '2024-03-10T20:00Z',
    '2024-03-10T21:00Z',
  ];
  for (const session of ['regular', 'extended'] as const) {
    const hours = check(times.map(flat), { frequency: '1h', session }, NOW, 'currency');
    assert.deepEqual(
      hours.timestamps,
      [times[0], times[4]].map((time) => Date.parse(`${time}`)),
    );
    assert.deepEqual(hours.dropped, { outside_the_session: 3 });
  }
});

test('completes the Friday of a currency when its UTC day ends', () => {
  const friday = bar(Date.UTC(2024, 0, 5));
  assert.deepEqual(check([friday], {}, Date.UTC(2024, 0, 6) - 1, 'currency').dropped, { not_completed: 1 });
  assert.deepEqual(check([friday], {}, Date.UTC(2024, 0, 6), 'currency').dropped, {});
});
