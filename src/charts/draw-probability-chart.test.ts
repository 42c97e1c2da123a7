import assert from 'node:assert/strict';
import { test } from 'node:test';
import { painted, readPath, readSvg } from '../../test/support/charts/read-svg.ts';
import { drawProbabilityChart, type ProbabilityChart } from './index.ts';

const DAY = 86_400_000;
const chart: ProbabilityChart = {
  title: 'Will it rain & snow?',
  revisions: [
    { timestamp: 0, probability: 0.2 },
    { timestamp: 10 * DAY, probability: 0.6 },
    { timestamp: 30 * DAY, probability: 0.55 },
  ],
  end: 40 * DAY,
};

test('draws the probabilities as steps that hold until the next one, to the end', () => {
  const elements = readSvg(drawProbabilityChart(chart));
  const line = readPath(painted(elements, 'line-median')[0]?.attributes.d ?? '');
  const [top = 0, bottom = 0] = ['100%', '0%'].map((label) => {
    return Number(elements.find(({ text }) => text === label)?.attributes.y) - 4;
  });
  const [left = 0, right = 0] = [line[0]?.[0], line.at(-1)?.[0]];
  const decoded = line.map(([x, y]) => [((x - left) / (right - left)) * 40, (bottom - y) / (bottom - top)]);
  const expected = [0, 0.2, 10, 0.2, 10, 0.6, 30, 0.6, 30, 0.55, 40, 0.55];
  assert.equal(decoded.flat().length, expected.length);
  for (const [i, value] of decoded.flat().entries())
    assert.ok(Math.abs(value - (expected[i] ?? 0)) < 0.02, `${i}: ${value}`);
  assert.equal(painted(elements, 'line-outcome').length, 0);
});

test('shows the outcome at the end, and describes it', () => {
  for (const [outcome, label] of [
    ['yes', 'Yes'],
    ['no', 'No'],
    ['annulled', 'Annulled'],
  ] as const) {
    const elements = readSvg(drawProbabilityChart({ ...chart, outcome }));
    const text = elements.find((element) => element.text === label);
    assert.equal(text?.attributes.class, outcome === 'annulled' ? 'ac-soft' : 'ac-outcome');
    assert.match(
      elements[2]?.text ?? '',
      new RegExp(`last of 3 is 55%, of Jan 31, 1970\\. The outcome is: ${outcome}\\.$`),
    );
    const dot = painted(elements, 'line-outcome').at(-1);
    const level = elements.find((element) => element.text === (outcome === 'yes' ? '100%' : '0%'));
    const y = readPath(dot?.attributes.d ?? '')[0]?.[1];
    if (outcome !== 'annulled') assert.ok(Math.abs((y ?? 0) - Number(level?.attributes.y) + 4) < 0.2);
  }
});

test('draws one revision, none, and ignores numbers that are not probabilities', () => {
  const [first] = chart.revisions;
  assert.ok(first);
  const bad = [Number.NaN, 2, -1].map((probability) => ({ timestamp: 5 * DAY, probability }));
  for (const revisions of [[first], [], [first, ...bad]]) {
    for (const width of [240, 1_200]) {
      const svg = drawProbabilityChart({ title: '<b>', revisions }, { width, colors: 'dark' });
      readSvg(svg);
      assert.doesNotMatch(svg, /NaN|Infinity|undefined|<b>/);
    }
  }
});
