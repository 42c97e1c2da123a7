import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNormal } from './distributions.ts';
import { createRandom } from './random.ts';
import { adjustSeason, hasSeason } from './seasonal-adjustment.ts';

const random = createRandom(5);
const noise = Float64Array.from({ length: 96 }, () => drawNormal(random));
const wave = (t: number): number => Math.sin((2 * Math.PI * t) / 12);

test('finds a real season and none in noise', () => {
  assert.ok(
    hasSeason(
      noise.map((e, t) => 3 * wave(t) + e),
      12,
    ),
  );
  assert.ok(!hasSeason(noise, 12));
  assert.ok(!hasSeason(noise.subarray(0, 24), 12), 'two seasons are too few to tell');
});

for (const isPositive of [true, false]) {
  test(`removes and restores a season (${isPositive ? 'by division' : 'by subtraction'})`, () => {
    const clean = (t: number): number => (isPositive ? 100 * (1 + 0.3 * wave(t)) : 30 * wave(t));
    const values = noise.map((e, t) => clean(t) + 0.1 * e);
    values[40] = Number.NaN;
    const { adjusted, indices, restore } = adjustSeason(values, 12, isPositive);
    assert.equal(indices, 11);
    assert.ok(Number.isNaN(adjusted[40]), 'a gap stays a gap');
    const level = isPositive ? 100 : 0;
    for (const [t, value] of adjusted.entries())
      if (t !== 40) assert.ok(Math.abs(value - level) < 1, `${value} at ${t}`);
    restore(Array.from({ length: 24 }, () => Float64Array.of(level))).forEach((row, h) => {
      assert.ok(Math.abs((row[0] as number) - clean(96 + h)) < 1, `${row[0]} at step ${h + 1}`);
    });
  });
}
