import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeededRandom } from '../../../../test/support/platform/seeded-random.ts';
import { decodeCandles, type ExpectedCandles } from './decode-candles.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 6, 10);
const EXPECTED: ExpectedCandles = {
  file: { start: START, end: START + DAY_MS },
  code: 'EUR-USD',
  shift: 60_000,
  isCurrent: false,
};

/** A file of five minutes, as the feed writes it. */
const TEXT = `{"timestamp":${START},"multiplier":1.0E-5,"open":1.14331,"high":1.14334,"low":1.14322,"close":1.14324,
  "shift":60000,"times":[0,1,1,3,1],"opens":[0,-7,1,0,10],"highs":[0,-6,-3,0,15],"lows":[0,-4,7,0,2],
  "closes":[0,1,0,0,12],"volumes":[145.92,37.47,0,0,0.5]}`;
const REPLY = JSON.parse(TEXT) as Readonly<Record<string, unknown>>;

const decode = (change: Readonly<Record<string, unknown>> = {}, expected: Partial<ExpectedCandles> = {}) =>
  decodeCandles({ ...REPLY, ...change }, { ...EXPECTED, ...expected });

test('adds the differences, keeps the gaps and leaves out candles of closed hours', () => {
  assert.deepEqual(decode(), [
    { timestamp: START, open: 1.14331, high: 1.14334, low: 1.14322, close: 1.14324, volume: 145.92 },
    { timestamp: START + 60_000, open: 1.14324, high: 1.14328, low: 1.14318, close: 1.14325, volume: 37.47 },
    { timestamp: START + 360_000, open: 1.14335, high: 1.1434, low: 1.14327, close: 1.14337, volume: 0.5 },
  ]);
});

test('leaves out a candle only if it has neither volume nor a change of price', () => {
  const flat = { opens: [-7, 0], highs: [-10, 0], lows: [2, 0], closes: [0, 0], times: [0, 1] };
  assert.equal(decode({ ...flat, volumes: [0, 0] })?.length, 0);
  assert.equal(decode({ ...flat, volumes: [0, 0.001] })?.length, 1);
  assert.equal(decode({ ...flat, volumes: [0, 0], highs: [-10, 1] })?.length, 1);
});

test('the first candle may begin after the file does', () => {
  assert.equal(decode({ times: [14, 1, 1, 3, 1] })?.[0]?.timestamp, START + 14 * 60_000);
});

test('every price is the decimal number that was sent', () => {
  const random = createSeededRandom(1);
  for (const decimals of [0, 1, 2, 3, 4, 5, 6]) {
    const units = Array.from({ length: 1_000 }, () => 1 + Math.floor(random() * 10_000_000));
    const deltas = units.map((unit, place) => unit - (units[place - 1] ?? 0));
    const column = { opens: deltas, highs: deltas, lows: deltas, closes: deltas };
    const bars = decode({
      ...column,
      multiplier: Number(`1e-${decimals}`),
      open: 0,
      high: 0,
      low: 0,
      close: 0,
      times: units.map(() => 1),
      volumes: units.map(() => 1),
    });
    assert.deepEqual(
      bars?.map(({ close }) => close),
      units.map((unit) => Number(`${unit}e-${decimals}`)),
    );
  }
});

test('a file without candles has no base prices', () => {
  const empty = { open: null, high: null, low: null, close: null };
  const columns = { times: [], opens: [], highs: [], lows: [], closes: [], volumes: [] };
  assert.deepEqual(decode({ ...empty, ...columns }), []);
  assert.deepEqual(decode(columns), []);
  assert.equal(decode(empty), null, 'candles without base prices');
  assert.equal(decode({ ...columns, open: 'none' }), null);
});

test('the current file may be followed by candles of the next one', () => {
  const times = [1_438, 1, 1, 3, 1];
  assert.equal(decode({ times }), null);
  assert.equal(decode({ times }, { isCurrent: true })?.length, 2);
});

test('refuses every other form', () => {
  const changes: Record<string, unknown>[] = [
    { timestamp: START - DAY_MS },
    { timestamp: String(START) },
    { shift: 3_600_000 },
    { code: 'GBP-USD' },
    { multiplier: 0 },
    { multiplier: -1e-5 },
    { multiplier: 2e-5 },
    { multiplier: 10 },
    { multiplier: '1.0E-5' },
    { multiplier: null },
    { open: null },
    { close: '1.1' },
    { times: [0, 1, 1, 3] },
    { times: [0, 0, 1, 3, 1] },
    { times: [0, 1, -1, 3, 1] },
    { times: [-1, 1, 1, 3, 1] },
    { times: [0, 0.5, 1, 3, 1] },
    { times: [0, 1, 1, 3, 1e300] },
    { times: [0, 1, 1, 3, 1_440] },
    { times: { length: 5 } },
    { opens: [0, -7, 1, 0] },
    { highs: [0, -6, -3, 0, 15, 1] },
    { lows: [0, null, 7, 0, 2] },
    { closes: [0, 1.5, 0, 0, 12] },
    { closes: [0, 1e300, 0, 0, 12] },
    { closes: [0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 0, 12] },
    { volumes: [145.92, 37.47, 0, 0] },
    { volumes: [145.92, '37.47', 0, 0, 0.5] },
    { volumes: undefined },
  ];
  for (const change of changes) assert.equal(decode(change), null, JSON.stringify(change));
  for (const reply of [null, [], 'file', 7, [REPLY], {}]) assert.equal(decodeCandles(reply, EXPECTED), null);
  assert.notEqual(decode({ code: 'EUR-USD' }), null, 'the right instrument may be named');
});
