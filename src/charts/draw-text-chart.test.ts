import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawTextChart } from './draw-text-chart.ts';

const months = (count: number, first: number) => Array.from({ length: count }, (_, i) => Date.UTC(2024, first + i, 1));

const chart = {
  title: 'Sales',
  history: { timestamps: months(24, 0), values: Array.from({ length: 24 }, (_, i) => 100 + i) },
  predictions: months(12, 24).map((timestamp, i) => ({
    timestamp,
    quantiles: { '0.1': 120 - i, '0.25': 122, '0.5': 124 + i, '0.75': 126 + 2 * i, '0.9': 128 + 3 * i },
  })),
  outcome: [],
};

test('draws the history as a line, the fan as shades that widen and the median through them', () => {
  const lines = drawTextChart(chart, { width: 70, height: 16 }).split('\n');
  const picture = lines.slice(0, 16);
  assert.ok(
    picture.every((line) => line.length <= 70),
    'no line is wider than the terminal',
  );
  assert.match(picture.join(''), /[\u2801-\u28ff]/);
  const heightOf = (column: number) => picture.filter((line) => '░▒━'.includes(line[column] || ' ')).length;
  const columns = Array.from({ length: 70 }, (_, column) => column).filter((column) => heightOf(column) > 0);
  assert.ok(heightOf(columns.at(-2) ?? 0) > heightOf(columns[2] ?? 0) + 3, 'the fan widens');
  const median = picture.map((line) => line.lastIndexOf('━')).filter((column) => column >= 0);
  assert.ok(median.length > 1);
  assert.match(lines.join('\n'), /history {3}━━ median {3}░░ 80% interval {3}▒▒ 50% interval\n$/);
  assert.match(lines.join('\n'), /└[─┴]+\n +Jan .*\n +2024 .*2026/);
});

test('draws only ASCII characters for terminals without others', () => {
  const text = drawTextChart(
    { ...chart, history: { ...chart.history, values: chart.history.values.map((v) => v - 200) } },
    { isAscii: true },
  );
  assert.match(text, /^[\x20-\x7e\n]+$/);
  assert.match(text, /\*{2}/);
  assert.match(text, / -\d+\|/, 'the sign of a label as well');
});

test('draws what there is: a history alone, one row, gaps and nothing', () => {
  const alone = drawTextChart({ ...chart, predictions: [] });
  assert.doesNotMatch(alone, /interval|median/);
  const one = { timestamps: [0], values: [5] };
  assert.match(drawTextChart({ ...chart, history: one, predictions: [] }), /Jan 1/);
  const gaps = { timestamps: months(24, 0), values: chart.history.values.map((v, i) => (i === 23 ? Number.NaN : v)) };
  assert.match(drawTextChart({ ...chart, history: gaps }), /━/);
  assert.equal(drawTextChart({ ...chart, history: { timestamps: [], values: [] }, predictions: [] }), 'No values\n');
  assert.match(drawTextChart(chart, { width: 7, height: Number.NaN }), /━/, 'sizes are bounded');
});
