import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeCalibration, drawCalibration } from './draw-calibration.ts';
import { describeDeciles, drawDeciles } from './draw-deciles.ts';

const POINTS = [
  { nominal: 0.95, share: 0.9, low: 0.85, high: 0.94, inside: 180, rows: 200 },
  { nominal: 0.5, share: 0.5, low: 0.43, high: 0.57, inside: 100, rows: 200 },
];
const IN_PAGE = { standalone: false, id: 'plot' } as const;

/** Returns the middle of the point with this index, in pixels. */
function placeOf(svg: string, index: number): number[] {
  const [, x, y] = new RegExp(`data-point="${index}".*?cx="([\\d.]+)" cy="([\\d.]+)"`).exec(svg) ?? [];
  return [Number(x), Number(y)];
}

test('a calibration plot places each interval by what it promises and what it held, with counts', () => {
  const svg = drawCalibration({ title: 'Calibration', points: POINTS }, IN_PAGE);
  const [[x0 = 0, y0 = 0], [x1 = 0, y1 = 0]] = [placeOf(svg, 0), placeOf(svg, 1)];
  assert.ok(x0 < x1 && y0 > y1, 'the points are ordered by what they promise, and shares grow upward');
  // 0.5 held 0.5 and 0.95 held 0.9: 0.45 of the width and 0.4 of the height apart.
  const plot = { width: (x1 - x0) / 0.45, height: (y0 - y1) / 0.4 };
  assert.ok(plot.width > 250 && plot.width < 360 && plot.height > 250 && plot.height < 350, JSON.stringify(plot));
  assert.match(svg, />180 of 200<.*>100 of 200</);
  assert.doesNotMatch(svg, /style=|<style|<script/);
  assert.match(
    describeCalibration(POINTS),
    /^The 95% interval held 90% of the rows \(180 of 200\); with 95% confidence/,
  );
});

test('a calibration plot leaves out points that are not shares, and says so if none is left', () => {
  const broken = { nominal: Number.NaN, share: 2, low: 0, high: 1, inside: 0, rows: 0 };
  assert.match(drawCalibration({ title: '<b>', points: [broken] }, IN_PAGE), /&lt;b&gt;.*No interval/);
  assert.doesNotMatch(drawCalibration({ title: '', points: [broken, ...POINTS] }, IN_PAGE), /NaN|Infinity/);
});

test('a chart of tenths has a bar for each, as tall as its share', () => {
  const shares = [0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05];
  const svg = drawDeciles({ title: 'Tenths', shares }, IN_PAGE);
  const heights = [...svg.matchAll(/<rect [^>]*height="([\d.]+)"/g)].map(([, height]) => Number(height));
  assert.equal(heights.length, 10);
  assert.ok(Math.abs((heights[0] ?? 0) / (heights[1] ?? 1) - 2) < 0.01, heights.join(' '));
  assert.match(svg, /dashed: 10% expected/);
  assert.match(describeDeciles(shares), /between 5% and 20%. The lowest tenth held 20% and the highest 5%/);
  assert.match(drawDeciles({ title: 'None', shares: [] }, IN_PAGE), /No rows/);
  assert.doesNotMatch(drawDeciles({ title: '', shares: [Number.NaN, 9] }, IN_PAGE), /NaN/);
});

test('a plot of probabilities has its own words and the base rate', () => {
  const points = [{ nominal: 0.7, share: 0.75, low: 0.5, high: 0.9, inside: 15, rows: 20 }];
  const svg = drawCalibration(
    { title: 'Questions', points, kind: 'probabilities', baseRate: 0.4 },
    { standalone: false },
  );
  assert.match(svg, /Of 20 with about 70%, 15 came true \(75%\); .* 50% to 90%\. Of all questions, 40% came true\./);
  assert.match(svg, />Stated probability</);
  assert.match(svg, /stroke-dasharray="1 4"/);
  assert.doesNotMatch(drawCalibration({ title: 'Questions', points }, {}), /stroke-dasharray="1 4"|Stated/);
});
