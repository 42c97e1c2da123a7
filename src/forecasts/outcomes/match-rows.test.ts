import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../calendar/index.ts';
import type { SourceReference } from '../../contract/index.ts';
import { canRescale, compareOverlap, differs, findActuals, indexRows, outcomeSource } from './match-rows.ts';

const PRICES = Array.from({ length: 30 }, (_, i) => 100 + i + Math.sin(i));
const INPUT = {
  timestamps: Float64Array.from(PRICES, (_, i) => i * DAY_MS),
  columns: { close: Float64Array.from(PRICES) },
};
const now = (change: (price: number, day: number) => number | null) =>
  new Map(
    PRICES.flatMap((price, day): [number, number][] => {
      const value = change(price, day);
      return value === null ? [] : [[day * DAY_MS, value]];
    }),
  );

test('finds no change in equal rows, and a revision in other ones', () => {
  assert.deepEqual(
    compareOverlap(
      INPUT,
      now((price) => price),
      { canRescale: true },
    ),
    { scale: 1, isRevised: false },
  );
  const last = now((price, day) => (day === 29 ? price + 0.01 : price));
  assert.deepEqual(compareOverlap(INPUT, last, { canRescale: true }), { scale: 1, isRevised: true });
  const old = now((price, day) => (day === 5 ? price + 1 : price));
  assert.deepEqual(
    compareOverlap(INPUT, old, { canRescale: true }),
    { scale: 1, isRevised: false },
    'only twenty rows are compared',
  );
});

test('finds the ratio by which adjusted prices were rescaled, apart from rounding', () => {
  const cents = (value: number) => Math.round(value * 1e4) / 1e4;
  const split = compareOverlap(
    INPUT,
    now((price) => cents(price / 4)),
    { canRescale: true },
  );
  assert.ok(Math.abs((split.scale ?? 0) - 0.25) < 1e-5);
  assert.equal(split.isRevised, false);
  const dividend = compareOverlap(
    INPUT,
    now((price) => cents(price * 0.9975)),
    { canRescale: true },
  );
  assert.ok(Math.abs((dividend.scale ?? 0) - 0.9975) < 1e-5);
  assert.deepEqual(
    compareOverlap(
      INPUT,
      now((price) => price * 1.0003),
      { canRescale: true },
    ),
    { scale: 1, isRevised: true },
  );
  const half = now((price, day) => (day < 20 ? price / 4 : price));
  assert.deepEqual(
    compareOverlap(INPUT, half, { canRescale: true }),
    { scale: 1, isRevised: true },
    'the ratios disagree',
  );
  assert.deepEqual(
    compareOverlap(
      INPUT,
      now((price) => price / 4),
      { canRescale: false },
    ),
    { scale: 1, isRevised: true },
  );
  assert.deepEqual(
    compareOverlap(
      INPUT,
      now((price) => -price),
      { canRescale: true },
    ),
    { scale: 1, isRevised: true },
  );
});

test('finds a rescaling and a revision among rows of which some were also corrected', () => {
  const corrected = now((price, day) => (day > 26 ? price / 4 + 1 : price / 4));
  assert.deepEqual(compareOverlap(INPUT, corrected, { canRescale: true }), { scale: 0.25, isRevised: true });
  const mostly = now((price, day) => (day > 18 ? price / (day - 15) : price / 4));
  assert.deepEqual(
    compareOverlap(INPUT, mostly, { canRescale: true }),
    { scale: 1, isRevised: true },
    'too few rows agree',
  );
});

test('cannot tell a rescaling from two rows, or from zeros', () => {
  const few = now((price, day) => (day > 27 ? price / 4 : null));
  assert.deepEqual(compareOverlap(INPUT, few, { canRescale: true }), { scale: 1, isRevised: true });
  const zeros = { timestamps: INPUT.timestamps, columns: { close: new Float64Array(30) } };
  assert.deepEqual(
    compareOverlap(
      zeros,
      now(() => 0),
      { canRescale: true },
    ),
    { scale: 1, isRevised: false },
  );
  assert.deepEqual(compareOverlap(INPUT, new Map(), { canRescale: true }), { scale: 1, isRevised: false });
});

test('keeps the earlier scale if the rows are too few or do not agree, but not if they are as before', () => {
  const after = (change: Parameters<typeof now>[0]) =>
    compareOverlap(INPUT, now(change), { canRescale: true, earlier: 0.25 });
  assert.deepEqual(
    after((price, day) => (day > 27 ? price / 4 : null)),
    { scale: 0.25, isRevised: false },
  );
  assert.deepEqual(
    after((price, day) => price / (4 + day)),
    { scale: 0.25, isRevised: true },
    'no ratio is common to more than half of the rows',
  );
  assert.deepEqual(
    after((price) => price),
    { scale: 1, isRevised: false },
  );
  const raw = compareOverlap(INPUT, new Map(), { canRescale: false, earlier: 0.25 });
  assert.equal(raw.scale, 1);
});

test('only adjusted prices are rescaled', () => {
  const stock = { type: 'market', symbol: 'A', timeframe: '1D' } as const;
  const sources: SourceReference[] = [
    stock,
    { ...stock, adjustment: 'all' },
    { ...stock, adjustment: 'raw' },
    { type: 'economic_series', provider: 'fred', series_id: 'CPI' },
  ];
  assert.deepEqual(sources.map(canRescale), [true, true, false, false]);
});

test('compares values exactly, and after a rescaling apart from rounding', () => {
  assert.deepEqual(
    [
      differs(1, 1, 1),
      differs(1, 1 + 1e-12, 1),
      differs(1, 1.00001, 1),
      differs(1, 1.00001, 0.25),
      differs(1, 1.01, 0.25),
    ],
    [false, false, true, false, true],
  );
  assert.equal(differs(0, 0, 1), false);
});

test('takes the rows of final steps with their exact timestamps, in the scale of the forecast', () => {
  const steps = [1, 2, 3, 4].map((step) => {
    const time = (29 + step) * DAY_MS;
    const end = time + DAY_MS;
    return { step, timestamp: time, knownFrom: end, until: end, readUntil: end, finalAt: end };
  });
  const rows = indexRows({
    valueField: 'close',
    table: {
      timestamps: Float64Array.of(30 * DAY_MS, 31 * DAY_MS, 32 * DAY_MS + 1, 33 * DAY_MS),
      columns: { close: Float64Array.of(25, Number.NaN, 26, 27) },
    },
  });
  const found = (at: number) =>
    findActuals(steps, rows, { scale: 0.25, now: at }).map(({ step, actual }) => [step, actual]);
  assert.deepEqual(
    found(34 * DAY_MS),
    [
      [1, 100],
      [4, 108],
    ],
    'a missing row is not replaced by a neighbor',
  );
  assert.deepEqual(found(34 * DAY_MS - 1), [[1, 100]]);
  assert.deepEqual(found(0), []);
});

test('reads the values that are known today', () => {
  const series = { type: 'economic_series', provider: 'fred', series_id: 'CPI' } as const;
  assert.deepEqual(outcomeSource({ ...series, vintage: '2020-01-31' }), series);
  const table = {
    type: 'warehouse_table',
    table: 'local.a',
    time_field: 't',
    value_field: 'v',
    start: '2020-01-01T00:00:00Z',
  } as const;
  assert.deepEqual(outcomeSource({ ...table, end: '2024-01-01T00:00:00Z' }), table);
});
