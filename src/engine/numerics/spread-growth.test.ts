import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spreadGrowth } from './spread-growth.ts';

const theory = Float64Array.of(1, 1, 1);

test('leaves the spread alone where past errors grew as the model says, or less', () => {
  const past = { sum: Float64Array.of(100, 99, 50), count: Float64Array.of(100, 99, 98) };
  assert.deepEqual([...spreadGrowth(past, theory, 4)], [1, 1, 1]);
});

test('widens by what the past shows, less where few errors are independent, and never beyond the cap', () => {
  const many = spreadGrowth({ sum: Float64Array.of(1000, 1500), count: Float64Array.of(1000, 1000) }, theory, 4);
  const few = spreadGrowth({ sum: Float64Array.of(4, 6), count: Float64Array.of(4, 4) }, theory, 4);
  assert.ok(Math.abs((many[1] as number) - 2.25) < 0.01, `${many}`);
  assert.ok((few[1] as number) > 1 && (few[1] as number) < 2, `${few}`);
  assert.equal(many[2], many[1], 'a step without past errors takes the factor before it');
  const wild = spreadGrowth({ sum: Float64Array.of(10, 1e6), count: Float64Array.of(10, 10) }, theory, 4);
  assert.equal(wild[1], 4);
});

test('gives ones where nothing is known', () => {
  assert.deepEqual([...spreadGrowth({ sum: new Float64Array(1), count: new Float64Array(1) }, theory, 4)], [1, 1, 1]);
});
