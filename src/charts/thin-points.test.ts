import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeededRandom } from '../../test/support/platform/seeded-random.ts';
import { thinPoints } from './thin-points.ts';

const random = createSeededRandom(5);

/** Returns how far a line through the kept points passes from each point, at most. */
function largestError(x: readonly number[], y: readonly number[], kept: readonly number[]): number {
  let worst = 0;
  for (const [k, to] of kept.entries()) {
    const from = kept[k - 1] ?? to;
    for (let i = from + 1; i < to; i++) {
      const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [x[from], x[to], y[from], y[to]];
      worst = Math.max(worst, Math.abs(y0 + ((y1 - y0) * ((x[i] ?? 0) - x0)) / (x1 - x0) - (y[i] ?? 0)));
    }
  }
  return worst;
}

test('leaves out only points that would not be seen', () => {
  for (const noise of [0, 0.1, 1, 50]) {
    const x = Array.from({ length: 400 }, (_, i) => 1.5 * i);
    const y = x.map((at, i) => 100 + 80 * Math.sin(at / 60) + noise * (random() - 0.5) * (i % 2));
    const kept = thinPoints({ x, y }, 0, x.length);
    assert.ok(largestError(x, y, kept) <= 0.21, `${largestError(x, y, kept)}`);
    assert.deepEqual([kept[0], kept.at(-1)], [0, 399]);
    if (noise === 0) assert.ok(kept.length < 150, `${kept.length} points of a smooth line`);
  }
  const straight = Array.from({ length: 100 }, (_, i) => 2 * i);
  assert.deepEqual(thinPoints({ x: straight, y: straight }, 0, 100), [0, 99]);
});

test('keeps the first, lowest, highest and last point of each column of pixels', () => {
  const x = Array.from({ length: 50_000 }, (_, i) => i / 250);
  const y = x.map(() => random() * 300);
  const kept = thinPoints({ x, y }, 0, x.length);
  assert.ok(kept.length <= 4 * 200, `${kept.length}`);
  for (const column of [0, 77, 199]) {
    const range = y.slice(column * 250, (column + 1) * 250);
    const shown = kept.filter((i) => Math.floor(x[i] ?? 0) === column).map((i) => y[i] ?? 0);
    assert.equal(Math.min(...shown), Math.min(...range));
    assert.equal(Math.max(...shown), Math.max(...range));
  }
});

test('respects the largest number of points while the difference is small', () => {
  const x = Array.from({ length: 300 }, (_, i) => 2 * i);
  const y = x.map(() => random());
  const kept = thinPoints({ x, y }, 0, x.length, 40);
  assert.ok(kept.length <= 40, `${kept.length}`);
});
