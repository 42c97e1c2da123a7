import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSvg } from '../../test/support/charts/read-svg.ts';
import { drawSeriesChart, type SeriesChart } from './draw-series-chart.ts';
import { DAY_MS } from './format-date.ts';

const START = Date.UTC(2024, 0, 1);

function walk(count: number): SeriesChart {
  const close = Array.from({ length: count }, (_, i) => 100 + 10 * Math.sin(i / 9) + i / 50);
  return {
    title: 'Prices',
    units: 'USD',
    timestamps: close.map((_, i) => START + i * DAY_MS),
    values: close,
    bars: {
      open: close.map((value, i) => close[i - 1] ?? value),
      high: close.map((value) => value + 1),
      low: close.map((value) => value - 12),
    },
  };
}

const count = (svg: string, part: string): number => svg.split(part).length - 1;

test('draws a few bars as candles, hollow if they rise and filled if they fall', () => {
  const svg = drawSeriesChart(walk(60));
  readSvg(svg);
  assert.match(svg, /class="ac-back"/);
  assert.match(svg, /class="ac-outcome"/);
  assert.doesNotMatch(svg, /style="|NaN/);
});

test('draws many bars as a line of their closes that stays small', () => {
  const svg = drawSeriesChart(walk(50_000), { width: 920 });
  readSvg(svg);
  assert.doesNotMatch(svg, /class="ac-outcome"/);
  assert.ok(svg.length < 60_000, `${svg.length} bytes`);
});

test('describes the span, the last value, the change and the extremes', () => {
  const values = [10, 5, 20, 15];
  const svg = drawSeriesChart({
    title: 'A',
    units: 'kg',
    timestamps: values.map((_, i) => START + i * DAY_MS),
    values,
  });
  assert.match(svg, /4 rows from Jan 1, 2024 to Jan 4, 2024\./);
  assert.match(svg, /The last value is 15 kg, 50% above the first\./);
  assert.match(svg, /The lowest and highest values are 5 \(Jan 2, 2024\) and 20 \(Jan 3, 2024\)\./);
});

test('labels a logarithmic axis with the values themselves', () => {
  const values = [1, 10, 100, 1_000];
  const chart = { title: 'Growth', timestamps: values.map((_, i) => START + i * DAY_MS), values };
  const svg = drawSeriesChart({ ...chart, log: true });
  for (const label of ['>1<', '>10<', '>100<', '>1,000<']) assert.ok(svg.includes(label), label);
  // Equal ratios have equal distances: the line is straight.
  const path = /d="(M[^"]+)" stroke-width="1.6"/.exec(svg)?.[1] ?? '';
  assert.equal(count(path, 'l'), 1);
  assert.match(path, /^M\S+ \S+l\S+-\S+$/);
});

test('leaves out values that have no place on a logarithmic axis', () => {
  const values = [0, -5, 10, 20, Number.NaN, 30];
  const chart = { title: 'A', timestamps: values.map((_, i) => START + i * DAY_MS), values, log: true };
  assert.doesNotMatch(drawSeriesChart(chart), /NaN|Infinity/);
  assert.match(drawSeriesChart({ ...chart, values: values.map(() => -1) }), /No values above zero/);
});

test('draws no, one, equal, huge and missing values without invalid numbers', () => {
  for (const values of [[], [3], [7, 7, 7], [-1e308, 1e308], [Number.NaN, Number.NaN]]) {
    for (const log of [false, true]) {
      const timestamps = values.map((_, i) => START + i * DAY_MS);
      const bars = { open: values, high: values, low: values };
      for (const chart of [{}, { bars }]) {
        const svg = drawSeriesChart({ title: 'A', timestamps, values, log, ...chart });
        readSvg(svg);
        assert.doesNotMatch(svg, /NaN|Infinity/);
      }
    }
  }
});
