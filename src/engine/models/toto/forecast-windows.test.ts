import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { hostileSeries } from '../../../../test/support/snapshots/hostile-series.ts';
import { hourlySeries } from '../../../../test/support/snapshots/series.ts';
import { startOnnxSession } from '../../../compute/toto/onnx-session.ts';
import { createRandom } from '../../numerics/random.ts';
import type { FitOutcome } from '../../runner.ts';
import { readCheckpoint } from './checkpoint/read-checkpoint.ts';
import type { OnnxSession } from './decoding/network.ts';
import { interpolateQuantiles } from './forecast-windows.ts';
import { buildGraph } from './graph/build-graph.ts';
import { FEEDS, KNOTS_OUTPUT } from './graph/feeds.ts';
import { startToto, type Toto } from './toto.ts';

const read = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../../../test/engine/toto-golden', name));
const checkpoint = readCheckpoint({ config: read('config.json'), weights: read('model.safetensors') });
const QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9];

let toto: Toto;
before(async () => {
  toto = await startToto(checkpoint, startOnnxSession);
});

function walk(length: number, seed = 1): Float64Array {
  const random = createRandom(seed);
  let level = 100;
  return Float64Array.from({ length }, (_, i) => {
    level += random.uniform() - 0.5;
    return level + 3 * Math.sin(i / 4);
  });
}

function rowsOf(outcome: FitOutcome | undefined): readonly Float64Array[] {
  assert.ok(outcome !== undefined && 'rows' in outcome, JSON.stringify(outcome));
  return outcome.rows;
}

function failureOf(outcome: FitOutcome | undefined): string {
  assert.ok(outcome !== undefined && 'failure' in outcome, JSON.stringify(outcome));
  return outcome.failure.code;
}

function assertClose(a: readonly Float64Array[], b: readonly Float64Array[], tolerance: number): void {
  assert.equal(a.length, b.length);
  a.forEach((row, step) => {
    row.forEach((value, i) => {
      const other = b[step]?.[i] as number;
      assert.ok(Math.abs(value - other) <= tolerance, `${value} and ${other} at step ${step + 1}`);
    });
  });
}

test('forecasts a window as the network forecasts its last patches', async () => {
  const values = walk(141);
  const [outcome] = await toto.forecastWindows({
    series: hourlySeries(values),
    windows: [{ length: 140, horizon: 40 }],
    quantiles: [0.1, 0.2, 0.5, 0.55, 0.9],
  });
  // 140 periods are four patches and twelve periods; the twelve oldest are dropped.
  const target = [[values.subarray(12, 140)]];
  const [[knots] = []] = await toto.forecast({
    target,
    mask: [[new Uint8Array(128).fill(1)]],
    seriesIds: [[0]],
    horizon: 40,
    decodeBlockSize: 0,
    scalerFallbackMinObs: 8,
    quantileRealCapK: 1e4,
  });
  const expected = (knots ?? []).map((step) => {
    const knot = (i: number): number => step[i - 1] as number;
    return Float64Array.of(knot(1), knot(2), knot(5), (knot(5) + knot(6)) / 2, knot(9));
  });
  assertClose(rowsOf(outcome), expected, 1e-4);
});

test('forecasts windows together as it does one by one, and repeats the same digits', async () => {
  const series = hourlySeries(walk(512));
  const windows = [8, 119, 230, 341, 452, 512].map((length) => ({ length, horizon: 30 }));
  const together = await toto.forecastWindows({ series, windows, quantiles: QUANTILES });
  assert.deepEqual(await toto.forecastWindows({ series, windows, quantiles: QUANTILES }), together);
  for (const [i, window] of windows.entries()) {
    const [alone] = await toto.forecastWindows({ series, windows: [window], quantiles: QUANTILES });
    assertClose(rowsOf(together[i]), rowsOf(alone), 1e-4);
  }
});

test('accepts windows with different horizons', async () => {
  const series = hourlySeries(walk(200));
  const long = await toto.forecastWindows({ series, windows: [{ length: 200, horizon: 100 }], quantiles: QUANTILES });
  const windows = [1, 33, 100].map((horizon) => ({ length: 200, horizon }));
  const mixed = await toto.forecastWindows({ series, windows, quantiles: QUANTILES });
  mixed.forEach((outcome, i) => {
    const rows = rowsOf(outcome);
    assert.equal(rows.length, windows[i]?.horizon);
    assertClose(rows, rowsOf(long[0]).slice(0, rows.length), 1e-4);
  });
});

test('forecasts more than 768 steps in blocks', async () => {
  const values = walk(160);
  const windows = [
    { length: 160, horizon: 800 },
    { length: 160, horizon: 30 },
  ];
  const outcomes = await toto.forecastWindows({ series: hourlySeries(values), windows, quantiles: [0.5] });
  const [[knots] = []] = await toto.forecast({
    target: [[values]],
    mask: [[new Uint8Array(160).fill(1)]],
    seriesIds: [[0]],
    horizon: 800,
    decodeBlockSize: 768,
    scalerFallbackMinObs: 8,
    quantileRealCapK: 1e4,
  });
  assertClose(
    rowsOf(outcomes[0]),
    (knots ?? []).map((step) => step.slice(4, 5)),
    1e-4,
  );
  assert.equal(rowsOf(outcomes[1]).length, 30);
});

test('forecasts series with gaps', async () => {
  const values = walk(200);
  for (let i = 1; i < 199; i++) if (i % 7 < 2 || (i > 40 && i < 110)) values[i] = Number.NaN;
  const windows = [{ length: 200, horizon: 30 }];
  const [outcome] = await toto.forecastWindows({ series: hourlySeries(values), windows, quantiles: QUANTILES });
  for (const row of rowsOf(outcome)) assert.ok(row.every(Number.isFinite), `${row}`);
});

test('forecasts independently of the unit of a series', async () => {
  const values = walk(200);
  const windows = [{ length: 200, horizon: 30 }];
  const [plain] = await toto.forecastWindows({ series: hourlySeries(values), windows, quantiles: QUANTILES });
  for (const unit of [2 ** -900, 2 ** -60, 2 ** 200, 2 ** 1000]) {
    const series = hourlySeries(values.map((value) => value * unit));
    const [scaled] = await toto.forecastWindows({ series, windows, quantiles: QUANTILES });
    assert.deepEqual(
      rowsOf(scaled).map((row) => row.map((value) => value / unit)),
      rowsOf(plain),
    );
  }
});

test('repeats a constant past', async () => {
  const windows = [1, 5, 40, 200].map((length) => ({ length, horizon: 3 }));
  const series = hourlySeries(new Float64Array(200).fill(7));
  for (const outcome of await toto.forecastWindows({ series, windows, quantiles: [0.1, 0.9] })) {
    assert.deepEqual(rowsOf(outcome), Array(3).fill(Float64Array.of(7, 7)));
  }
});

test('gives ordered finite quantiles for hostile series, unless a value is infinite', async () => {
  for (let seed = 1; seed <= 150; seed++) {
    const { name, series, horizon } = hostileSeries(seed);
    const windows = [series.values.length, series.values.length >> 1].map((length) => ({ length, horizon }));
    for (const outcome of await toto.forecastWindows({ series, windows, quantiles: QUANTILES })) {
      if ('failure' in outcome) {
        assert.equal(outcome.failure.code, 'INVALID_SERIES', name);
        assert.ok(
          series.values.some((value) => Math.abs(value) === Number.POSITIVE_INFINITY),
          name,
        );
        continue;
      }
      assert.equal(outcome.rows.length, horizon, name);
      for (const row of outcome.rows) {
        assert.equal(row.length, QUANTILES.length, name);
        assert.ok(row.every(Number.isFinite), `${name}: ${row}`);
        assert.ok(
          row.every((value, i) => i === 0 || value >= (row[i - 1] as number)),
          `${name}: ${row}`,
        );
      }
    }
  }
});

test('returns a named failure for a window that cannot be forecast, and forecasts the others', async () => {
  const values = walk(100);
  values[50] = Number.POSITIVE_INFINITY;
  const windows = [
    { length: 40, horizon: 5 },
    { length: 100, horizon: 5 },
    { length: 0, horizon: 5 },
    { length: 40, horizon: 0 },
    { length: 40, horizon: 5000 },
  ];
  const outcomes = await toto.forecastWindows({ series: hourlySeries(values), windows, quantiles: QUANTILES });
  assert.equal(rowsOf(outcomes[0]).length, 5);
  assert.deepEqual(outcomes.slice(1).map(failureOf), [
    'INVALID_SERIES',
    'INSUFFICIENT_HISTORY',
    'UNSUPPORTED_HORIZON',
    'UNSUPPORTED_HORIZON',
  ]);
});

test('refuses a quantile outside 0.1 to 0.9', async () => {
  const windows = [40, 50].map((length) => ({ length, horizon: 5 }));
  for (const quantile of [0.05, 0.95, 0, Number.NaN]) {
    const quantiles = [0.5, quantile];
    const outcomes = await toto.forecastWindows({ series: hourlySeries(walk(50)), windows, quantiles });
    assert.deepEqual(outcomes.map(failureOf), ['UNSUPPORTED_QUANTILE', 'UNSUPPORTED_QUANTILE']);
  }
});

test('keeps runs small and checks the abort flag between them', async () => {
  const session = await startOnnxSession(buildGraph(checkpoint));
  const flag = { aborted: false };
  const positions: number[] = [];
  const watched = await startToto(checkpoint, async () => ({
    run: (feeds) => {
      positions.push(feeds[FEEDS.tokens]?.shape[1] as number);
      if (positions.length === 2) flag.aborted = true;
      return session.run(feeds);
    },
  }));
  const windows = [5000, 4500, 4200, 4100, 1000].map((length) => ({ length, horizon: 30 }));
  const task = { series: hourlySeries(walk(5000)), windows, quantiles: QUANTILES };
  await assert.rejects(watched.forecastWindows(task, flag), { name: 'ModelError', code: 'ABORTED' });
  assert.deepEqual(positions, [128, 128]);
  await assert.rejects(watched.forecastWindows(task, flag), { code: 'ABORTED' });
  assert.equal(positions.length, 2);
});

test('turns NaN from the network into a failure and missing output into an error', async () => {
  const windows = [{ length: 50, horizon: 5 }];
  const task = { series: hourlySeries(walk(50)), windows, quantiles: QUANTILES };
  const forecastWith = async (data: unknown): Promise<FitOutcome[]> => {
    const session: OnnxSession = { run: async () => ({ [KNOTS_OUTPUT]: { data, shape: [] } }) };
    return (await startToto(checkpoint, async () => session)).forecastWindows(task);
  };
  assert.deepEqual((await forecastWith(new Float32Array(288).fill(Number.NaN))).map(failureOf), ['NOT_CONVERGED']);
  // Far output is clamped to the range that a forecast may have.
  const [far] = await forecastWith(new Float32Array(288).fill(1000));
  assert.ok(rowsOf(far).every((row) => row.every((value) => Number.isFinite(value) && value > 100)));
  await assert.rejects(forecastWith(new Float32Array(7)), Error);
  await assert.rejects(forecastWith(undefined), Error);
});

const KNOT_COUNT = Float64Array.of(1, 2, 4, 8, 16, 32, 64, 128, 256);

test('returns the knots themselves exactly', () => {
  const levels = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
  assert.deepEqual(interpolateQuantiles(KNOT_COUNT, levels), KNOT_COUNT);
});

test('interpolates between neighboring knots, in the requested order', () => {
  const [high, low] = interpolateQuantiles(KNOT_COUNT, [0.85, 0.125]);
  assert.ok(Math.abs((high as number) - 192) < 1e-9);
  assert.ok(Math.abs((low as number) - 1.25) < 1e-9);
});

test('keeps interpolated quantiles ascending close to the knots', () => {
  const knots = Float64Array.of(0.1, 0.1, 0.30000000000000004, 0.3000000000000001, 0.7, 0.7, 1e300, 1.1e300, 1.2e300);
  const levels = Array.from({ length: 8001 }, (_, i) => 0.1 + i / 10_000).filter((level) => level <= 0.9);
  const row = interpolateQuantiles(knots, levels);
  for (let i = 1; i < row.length; i++) assert.ok((row[i] as number) >= (row[i - 1] as number), `${levels[i]}`);
});
