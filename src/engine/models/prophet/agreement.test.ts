import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { initSync, Prophet, type ProphetOptions } from '@bsull/augurs/prophet';
import { prophetRuntime } from '../../../../test/support/compute/prophet-runtime.ts';
import { fitTrend, MAX_CHANGEPOINTS, SEASONALITY_PRIOR, TREND_SETTINGS, type TrendSettings } from './fit-trend.ts';
import type { ProphetRuntime } from './runtime.ts';
import { chooseSeasonalities, type Seasonality } from './seasonalities.ts';
import { expectedPath } from './simulate.ts';

// augurs implements Prophet in Rust with the same Stan program. Its input (scale, changepoints, features, priors,
// start) and its use of the parameters (future trend and season) are its own.
const require = createRequire(import.meta.url);
initSync({ module: readFileSync(join(dirname(require.resolve('@bsull/augurs/prophet')), 'prophet_bg.wasm')) });

/** Changes of growth up to the last row, with a weak prior. */
const FOLLOWING: TrendSettings = { changepointPrior: 0.5, changepointRange: 1 };

const HELD = 60;
/**
 * A share of the range of the series. The two searches stop at different tolerances, and the peer's input comes from the
 * processor's own sine and cosine, so that its search ends at slightly different points on x64 and arm64.
 */
const CLOSE = 0.02;

interface History {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

function readHistory(file: string, column: string, rows: number): History {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const at = header.split(',').indexOf(column);
  const cells = lines.slice(-rows).map((line) => line.split(','));
  return {
    times: Float64Array.from(cells, ([date = '']) => Date.parse(date)),
    values: Float64Array.from(cells, (row) => Number(row[at])),
  };
}

function forecastByAugurs(
  { times, values }: History,
  future: Float64Array,
  seasonalities: readonly Seasonality[],
  settings: TrendSettings,
  runtime: ProphetRuntime,
): { trend: number[]; whole: number[] } {
  const off = { type: 'manual', enabled: false } as const;
  const prophet = new Prophet({
    optimizer: runtime as unknown as ProphetOptions['optimizer'],
    nChangepoints: MAX_CHANGEPOINTS,
    changepointRange: settings.changepointRange,
    changepointPriorScale: settings.changepointPrior,
    scaling: 'minMax',
    uncertaintySamples: 0,
    yearlySeasonality: off,
    weeklySeasonality: off,
    dailySeasonality: off,
  });
  for (const { periodDays, order } of seasonalities) {
    const seasonality = { period: periodDays, fourierOrder: order, priorScale: SEASONALITY_PRIOR };
    prophet.addSeasonality(`every ${periodDays} days`, seasonality);
  }
  const seconds = (from: Float64Array) => Array.from(from, (time) => time / 1000);
  prophet.fit({ ds: seconds(times), y: values });
  const { trend, yhat } = prophet.predict({ ds: seconds(future) });
  return { trend: trend.point, whole: yhat.point };
}

/** Returns a runtime that records its input, flattened: the data by name and the start. */
function recordedRuntime() {
  const recorded: [string, number][][] = [];
  const runtime: ProphetRuntime = {
    optimize(start, json, options) {
      recorded.push(
        flatten({ ...JSON.parse(json), start: { ...start, delta: [...start.delta], beta: [...start.beta] } }),
      );
      return prophetRuntime.optimize(start, json, options);
    },
  };
  return { runtime, recorded };
}

function flatten(node: object, path = ''): [string, number][] {
  return Object.entries(node)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value]) =>
      typeof value === 'number' ? [[`${path}/${key}`, value] as [string, number]] : flatten(value, `${path}/${key}`),
    );
}

function checkAgreement(history: History, season: number, settings: TrendSettings): void {
  const fitted = history.values.length - HELD;
  const past = { times: history.times.slice(0, fitted), values: history.values.slice(0, fitted) };
  const future = history.times.slice(fitted);
  const low = Math.min(...past.values);
  const range = Math.max(...past.values) - low;
  const toUnit = (value: number) => (value - low) / range;
  const seasonalities = chooseSeasonalities(season, past.times);
  // With several, augurs orders them and their features at random.
  assert.equal(seasonalities.length, 1);

  const { runtime, recorded } = recordedRuntime();
  const ours = fitTrend(runtime, { times: past.times, units: past.values.map(toUnit) }, seasonalities, settings);
  const theirs = forecastByAugurs(past, future, seasonalities, settings, runtime);
  const [mine, other] = recorded as [[string, number][], [string, number][]];
  assert.equal(recorded.length, 2);
  assert.deepEqual(
    mine.map(([name]) => name),
    other.map(([name]) => name),
  );
  mine.forEach(([name, value], i) => {
    assert.ok(Math.abs(value - (other[i]?.[1] as number)) < 1e-9, `${name}: ${value}, not ${other[i]?.[1]}`);
  });
  // augurs starts on the trend; the distance of the series from it is ours.
  const onTrend = { ...ours, carried: { ...ours.carried, level: 0 } };
  expectedPath(onTrend, 1, future).forEach((unit, step) => {
    const off = Math.abs(unit - toUnit(theirs.whole[step] as number));
    const trendOff = Math.abs(unit - ours.seasonal(future[step] as number) - toUnit(theirs.trend[step] as number));
    assert.ok(off < CLOSE && trendOff < CLOSE, `step ${step + 1}: ${off} off, the trend ${trendOff}`);
  });
}

test('agrees with augurs, without damping, on monthly CO2 at Mauna Loa', () => {
  const file = join(dirname(require.resolve('vega-datasets')), '../data/co2-concentration.csv');
  const history = readHistory(file, 'CO2', 360);
  checkAgreement(history, 12, TREND_SETTINGS);
  checkAgreement(history, 12, FOLLOWING);
});

test('agrees with augurs, without damping, on a stock price by session', () => {
  const history = readHistory(require.resolve('@observablehq/sample-datasets/aapl.csv'), 'Close', 400 + HELD);
  checkAgreement(history, 5, TREND_SETTINGS);
});
