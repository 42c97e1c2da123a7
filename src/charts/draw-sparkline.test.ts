import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawSparkline } from './draw-sparkline.ts';

const count = (svg: string, part: string): number => svg.split(part).length - 1;

test('draws the history as a line over the whole size', () => {
  const svg = drawSparkline({ history: [1, 3, 2] }, { width: 100, height: 20, label: 'Prices' });
  assert.match(svg, /^<svg class="almanac-chart sparkline" width="100" height="20" viewBox="0 0 100 20"/);
  assert.match(svg, /role="img" aria-label="Prices"/);
  assert.match(svg, /d="M2.5 17.5l47.5-15 47.5 7.5"/);
  assert.doesNotMatch(svg, /style=|NaN|<style/);
});

test('continues the history with the median and its interval', () => {
  const svg = drawSparkline({ history: [1, 2], median: [2, 2], low: [1, 0], high: [3, 4] });
  assert.equal(count(svg, '<path'), 3);
  assert.match(svg, /class="ac-fan"/);
  assert.match(svg, /class="ac-line-median"/);
  assert.match(svg, /aria-hidden="true"/);
});

test('interrupts the line where values are missing', () => {
  const svg = drawSparkline({ history: [1, Number.NaN, 2, 3] });
  assert.equal(count(svg, 'M'), 2);
  assert.doesNotMatch(svg, /NaN/);
});

test('draws equal, single, huge and missing values without invalid numbers', () => {
  for (const history of [[5, 5, 5], [1], [], [-1e308, 1e308], [Number.POSITIVE_INFINITY]]) {
    assert.doesNotMatch(drawSparkline({ history }), /NaN|Infinity/);
  }
  assert.doesNotMatch(drawSparkline({ history: [], median: [1], low: [0], high: [2] }), /NaN|Infinity/);
});

test('escapes the label', () => {
  assert.match(drawSparkline({ history: [1] }, { label: '<"&' }), /aria-label="&lt;&quot;&amp;"/);
});
