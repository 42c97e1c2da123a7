import assert from 'node:assert/strict';
import { test } from 'node:test';
import { painted, readPath, readSvg } from '../../test/support/charts/read-svg.ts';
import { DAY_MS, MANY_LEVELS, sampleChart } from '../../test/support/charts/sample-charts.ts';
import { CHART_STYLE, drawForecastChart, type ForecastChart } from './index.ts';

const nothing: ForecastChart = {
  title: '',
  history: { timestamps: [], values: [] },
  predictions: [],
  outcome: [],
};
const plain = sampleChart({ rows: 50, steps: 12 });
const withValues = (map: (value: number, i: number) => number): ForecastChart => ({
  ...plain,
  history: { ...plain.history, values: Array.from(plain.history.values, map) },
});
const scaled = (factor: number): ForecastChart => ({
  ...withValues((value) => value * factor),
  predictions: plain.predictions.map(({ timestamp, quantiles }) => ({
    timestamp,
    quantiles: Object.fromEntries(Object.entries(quantiles).map(([key, value]) => [key, value * factor])),
  })),
});

const ODD: Readonly<Record<string, ForecastChart>> = {
  nothing,
  'one row': sampleChart({ rows: 1, steps: 0 }),
  'one row and one step': sampleChart({ rows: 1, steps: 1, outcome: 1 }),
  'one step without history': sampleChart({ rows: 0, steps: 1 }),
  'no history': sampleChart({ rows: 0, steps: 9, outcome: 9 }),
  'no forecast': sampleChart({ rows: 40, steps: 0 }),
  'only missing values': withValues(() => Number.NaN),
  'infinite values': withValues((value, i) =>
    i % 2 ? Number.NEGATIVE_INFINITY : i % 3 ? Number.POSITIVE_INFINITY : value,
  ),
  gaps: withValues((value, i) => (i % 7 < 2 || i === 10 || i === 12 ? Number.NaN : value)),
  constant: { ...nothing, history: { timestamps: [0, DAY_MS, 2 * DAY_MS], values: [5, 5, 5] } },
  zero: { ...nothing, history: { timestamps: [0, DAY_MS], values: [0, -0] } },
  'the largest numbers': scaled(1e306),
  'opposite largest numbers': withValues((_, i) => (i % 2 ? Number.MAX_VALUE : -Number.MAX_VALUE)),
  'the smallest numbers': scaled(5e-324),
  'tiny numbers': scaled(-1e-12),
  'a large constant with noise': withValues((value) => 1e15 + value),
  'one quantile': sampleChart({ rows: 40, steps: 9, levels: [0.7] }),
  'no median': sampleChart({ rows: 40, steps: 9, levels: [0.1, 0.9] }),
  'unpaired quantiles': sampleChart({ rows: 40, steps: 9, levels: [0.2, 0.5, 0.9] }),
  'a year of many quantiles': sampleChart({ rows: 900, steps: 365, levels: MANY_LEVELS, outcome: 300, replayed: 30 }),
  'rows at the same time': { ...nothing, history: { timestamps: [5, 5, 5], values: [1, 2, 3] } },
  'rows out of order': { ...plain, history: { timestamps: [9e9, 1e9, 5e9], values: [1, 2, 3] } },
  'the ends of time': { ...nothing, history: { timestamps: [-8.64e15, 8.64e15], values: [1, 2] } },
  'times that are not dates': { ...nothing, history: { timestamps: [Number.NaN, 1e300, 0], values: [1, 2, 3] } },
  'quantiles that are not levels': {
    ...plain,
    predictions: [{ timestamp: 9e12, quantiles: { x: 1, '1': 2, '-1': 3 } }],
  },
};

for (const [name, chart] of Object.entries(ODD)) {
  test(`draws a sound document of ${name}`, () => {
    for (const options of [
      { width: 360 },
      { width: 1_200, colors: 'dark' },
      { width: 240, height: 200, standalone: false },
    ] as const) {
      const svg = drawForecastChart(chart, options);
      const [root, ...elements] = readSvg(svg);
      assert.equal(root?.name, 'svg');
      assert.doesNotMatch(svg, /NaN|Infinity|undefined|null|style=|<script|<image|href|\d{7}/);
      const [width, height] = [Number(root.attributes.width), Number(root.attributes.height)];
      for (const { name, attributes } of elements) {
        assert.ok(['title', 'desc', 'style', 'rect', 'text', 'path', 'g'].includes(name), name);
        const points = readPath(attributes.d ?? '');
        if (name === 'text') points.push([Number(attributes.x), Number(attributes.y)]);
        for (const [x, y] of points)
          assert.ok(x >= -6 && x <= width + 6 && y >= 0 && y <= height, `${name} at ${x}, ${y}`);
      }
    }
  });
}

test('lines lie at the values and dates of the axes', () => {
  const chart = sampleChart({ rows: 60, steps: 20, levels: [0.05, 0.25, 0.5, 0.75, 0.95] });
  const elements = readSvg(drawForecastChart(chart));
  const labels = painted(elements, 'soft').filter(({ attributes }) => attributes['text-anchor'] === 'end');
  const [first, second] = labels.map(({ text, attributes }) => ({ value: Number(text), y: Number(attributes.y) - 4 }));
  assert.ok(first && second && labels.length >= 3);
  const valueAt = (y: number): number =>
    first.value + ((y - first.y) / (second.y - first.y)) * (second.value - first.value);
  const near = (y: number | undefined, value: number | undefined, message: string): void =>
    assert.ok(
      Math.abs(valueAt(y ?? 0) - (value ?? Number.NaN)) < 0.12,
      `${message}: ${valueAt(y ?? 0)} is not ${value}`,
    );

  const history = readPath(painted(elements, 'line-history')[1]?.attributes.d ?? '');
  near(history[0]?.[1], chart.history.values[0], 'the first row');
  near(history.at(-1)?.[1], chart.history.values[59], 'the last row');
  const median = readPath(painted(elements, 'line-median')[1]?.attributes.d ?? '');
  const last = chart.predictions.at(-1)?.quantiles ?? {};
  near(median[0]?.[1], chart.history.values[59], 'the median begins at the last row');
  near(median.at(-1)?.[1], last['0.5'], 'the median');

  const bands = elements.filter(({ name, attributes }) => name === 'path' && attributes.d?.endsWith('z'));
  assert.equal(bands.length, 2);
  for (const [i, [low, high]] of [
    ['0.05', '0.95'],
    ['0.25', '0.75'],
  ].entries()) {
    const points = readPath(bands[i]?.attributes.d ?? '');
    const right = Math.max(...points.map(([x]) => x));
    const ends = points.filter(([x]) => x === right).map(([, y]) => y);
    near(Math.min(...ends), last[high ?? ''], `the upper edge of band ${i}`);
    near(Math.max(...ends), last[low ?? ''], `the lower edge of band ${i}`);
  }
});

test('markers of replayed values are hollow, and the line is interrupted where a value is missing', () => {
  const chart = sampleChart({ rows: 30, steps: 8, outcome: 6, replayed: 2 });
  const draw = (outcome: ForecastChart['outcome']) => readSvg(drawForecastChart({ ...chart, outcome }));
  const dots = (elements: ReturnType<typeof draw>, color: string) =>
    painted(elements, color).flatMap(({ attributes }) =>
      attributes.d?.includes('h.01') ? [readPath(attributes.d).length] : [],
    );
  // The first of each pair is in the legend.
  assert.deepEqual(dots(draw(chart.outcome), 'line-back'), [1, 2]);
  assert.deepEqual(dots(draw(chart.outcome), 'line-outcome'), [1, 1, 4, 2]);
  const segments = (elements: ReturnType<typeof draw>) =>
    painted(elements, 'line-outcome')
      .filter(({ attributes }) => attributes['stroke-width'] === '1.8')
      .map(({ attributes }) => (attributes.d ?? '').split('M').length - 1);
  assert.deepEqual(segments(draw(chart.outcome)), [1, 4]);
  assert.deepEqual(segments(draw(chart.outcome.toSpliced(4, 1))), [1, 2]);
});

test('a hostile title is text and nothing else', () => {
  const title = '</title><script>alert(1)</script>"\' onload=x &amp; \u0000\u0008\ud800\u202eevil\u2028 \ufffe ]]>';
  for (const colors of ['variables', 'light'] as const) {
    const svg = drawForecastChart({ ...plain, title, units: title }, { colors, id: '"><script>' });
    const elements = readSvg(svg);
    assert.ok(!elements.some(({ name }) => name === 'script'));
    assert.equal(
      elements.find(({ name }) => name === 'title')?.text,
      '</title><script>alert(1)</script>"\' onload=x &amp; \ufffd evil ]]>',
    );
    for (const character of '\u0000\u0008\u202e\u2028\ufffe') assert.ok(!svg.includes(character));
    assert.equal(elements[0]?.attributes['aria-labelledby'], 'chart-title chart-desc');
  }
  const long = drawForecastChart({ ...plain, title: 'x'.repeat(1e6) });
  assert.ok(long.length < 20_000);
});

test('a chart stays small', () => {
  const usual = sampleChart({ rows: 2_000, steps: 30, levels: [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95], outcome: 30 });
  const large = sampleChart({ rows: 50_000, steps: 365, levels: MANY_LEVELS, outcome: 365, replayed: 100 });
  for (const chart of [usual, large]) {
    for (const width of [360, 720, 1_200]) {
      const bytes = Buffer.byteLength(drawForecastChart(chart, { width }));
      assert.ok(bytes <= 60_000, `${bytes} bytes with a width of ${width}`);
    }
  }
});

test('a standalone chart contains its style; one in a page has classes only; fixed colors need no style', () => {
  const standalone = drawForecastChart(plain);
  assert.ok(standalone.includes(`<style>${CHART_STYLE}</style>`));
  assert.match(CHART_STYLE, /prefers-color-scheme:dark/);
  const inPage = drawForecastChart(plain, { standalone: false, id: 'second' });
  assert.doesNotMatch(inPage, /<style|fill="#|font-weight/);
  assert.match(inPage, /<title id="second-title">Sample<\/title><desc id="second-desc">/);
  for (const [, name = ''] of inPage.matchAll(/class="(ac-[a-z-]+)"/g))
    assert.ok(CHART_STYLE.includes(`.${name}{`), name);
  const light = drawForecastChart(plain, { colors: 'light' });
  assert.doesNotMatch(light, /<style|class="ac-|var\(/);
  assert.notEqual(light, drawForecastChart(plain, { colors: 'dark' }));
});

test('describes the chart in words', () => {
  const chart = sampleChart({ rows: 500, steps: 10, outcome: 4, replayed: 1 });
  const [, , description] = readSvg(drawForecastChart(chart));
  assert.match(
    description?.text ?? '',
    /^The history has 500 rows from Jan 1, 2018 to May 15, 2019; its last value is [\d.]+ USD\. The large part of the chart shows the last 30\. The forecast has 10 steps, to May 25, 2019\. At its last step, the median is [\d.]+ USD, and the 80% interval is from [\d.]+ USD to [\d.]+ USD\. The outcome of 3 of 10 steps is known; 3 of them inside the 80% interval\. One value of the outcome existed when the forecast was made\.$/,
  );
});

test('bars of a session have equal distances, and a gap of days interrupts the line', () => {
  const minutes = Array.from({ length: 300 }, (_, i) =>
    Date.UTC(2026, 2, 2 + Math.floor(i / 78), 14, 30 + 5 * (i % 78)),
  );
  const history = { timestamps: minutes, values: minutes.map((_, i) => (i % 2 ? 10 : 20)) };
  const xs = readPath(
    painted(readSvg(drawForecastChart({ ...nothing, history })), 'line-history')[1]?.attributes.d ?? '',
  ).map(([x]) => x);
  const distances = xs.slice(1).map((x, i) => x - (xs[i] ?? 0));
  assert.ok(Math.max(...distances) < 1.5 * (distances[0] ?? 0) + 0.2, 'the nights have no width');

  const days = Array.from({ length: 40 }, (_, i) => (i < 20 ? i : i + 60) * DAY_MS);
  const svg = drawForecastChart({ ...nothing, history: { timestamps: days, values: days.map((_, i) => i % 3) } });
  assert.equal((painted(readSvg(svg), 'line-history')[1]?.attributes.d ?? '').split('M').length - 1, 2);
});

test('a marked value is a line that a script can move, on an axis whose ends it states', () => {
  const timestamp = plain.predictions[3]?.timestamp ?? 0;
  const heightOf = (value: number) => {
    const svg = drawForecastChart({ ...plain, mark: { timestamp, value } }, { standalone: false });
    const [, y] = /data-threshold="" transform="translate\(0 ([\d.]+)\)"/.exec(svg) ?? [];
    const [, low, high, lowY, highY] =
      /data-low="([^"]+)" data-high="([^"]+)" data-low-y="([^"]+)" data-high-y="([^"]+)"/.exec(svg)?.map(Number) ?? [];
    return { y: Number(y), low: low ?? 0, high: high ?? 0, lowY: lowY ?? 0, highY: highY ?? 0 };
  };
  const middle = Object.values(plain.predictions[3]?.quantiles ?? {})[0] ?? 0;
  const { y, low, high, lowY, highY } = heightOf(middle);
  assert.ok(Math.abs(y - (lowY + ((middle - low) / (high - low)) * (highY - lowY))) < 0.2);
  const far = heightOf(1e9);
  assert.ok(Math.abs(far.y - far.highY) < 0.2, 'a value beyond the axis is drawn at its end');
  for (const value of [-1e300, 1e300, 0])
    assert.doesNotMatch(
      drawForecastChart({ ...plain, mark: { timestamp, value, others: [value] } }, {}),
      /NaN|Infinity/,
    );
  const steps = plain.predictions.map((prediction) => prediction.timestamp);
  const marked = drawForecastChart({ ...plain, mark: { timestamp, value: middle, steps } }, { standalone: false });
  const places = (/data-steps="([^"]*)"/.exec(marked)?.[1] ?? '').split(' ').map(Number);
  assert.equal(places.length, steps.length);
  assert.ok(
    places.every((place, i) => place > (places[i - 1] ?? 0)),
    'each step has its place',
  );
  assert.match(marked, new RegExp(`<circle cx="${places[3]}"`));
  assert.doesNotMatch(drawForecastChart(plain, {}), /data-threshold/);
});
