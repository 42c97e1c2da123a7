import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flooredSpreadAndStep, patchStatistics, stepStatistics } from './patch-statistics.ts';
import { ANCHORED_SCALING } from './scaling.ts';
import { addExtraStatistics } from './tokens.ts';

const { NaN: GAP } = Number;

test('keeps the last 4,096 periods and pads the context on the left', () => {
  const count = (length: number): Float64Array => Float64Array.from({ length }, (_, i) => i);
  const { values, observed } = ANCHORED_SCALING.cutContext(Float64Array.of(GAP, 5, GAP, 7, GAP), 4);
  assert.equal(values.length, 8);
  assert.deepEqual([...observed], [0, 0, 0, 0, 1, 0, 1, 0]);
  const long = ANCHORED_SCALING.cutContext(count(10_000), 48);
  assert.equal(long.values.length, 4128);
  assert.deepEqual([long.observed.indexOf(1), long.values[32]], [32, 5904]);
  assert.equal(ANCHORED_SCALING.cutContext(count(0), 8).values.length, 8);
});

test('hides empty patches except those at the end', () => {
  const observed = Uint8Array.of(0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0);
  ANCHORED_SCALING.markObserved(observed, 2);
  assert.deepEqual([...ANCHORED_SCALING.findEmptyPatches(observed, 2)], [1, 0, 1, 0, 0, 0]);
});

test('computes steps across gaps', () => {
  const row = { values: Float64Array.of(0, 0, 4, 99, 1, 3, 0, 0), observed: Uint8Array.of(0, 0, 1, 0, 1, 1, 0, 0) };
  const { count, last, step } = stepStatistics(row, 2);
  assert.deepEqual([...count], [0, 1, 3, 3]);
  assert.deepEqual([...last], [0, 4, 3, 3]);
  assert.deepEqual([...step], [0, 0, 2.5, 2.5]);
});

test('bounds spread and step by a millionth of the level', () => {
  const row = { values: Float64Array.of(5, 5, 5, 9), observed: new Uint8Array(4).fill(1) };
  const { statistics, steps: course } = ANCHORED_SCALING.read(row, 2, 8);
  const floor = 1e-6 * 10 + 1e-8;
  assert.deepEqual(flooredSpreadAndStep(statistics, course, 0), { spread: floor, step: floor });
  assert.deepEqual(flooredSpreadAndStep(statistics, course, 1), { spread: 2, step: 4 / 3 });
});

test('appends statistics of at most 8 to each token', () => {
  const row = { values: Float64Array.of(0, 0, 0, 6), observed: new Uint8Array(4).fill(1) };
  const added = addExtraStatistics(Float32Array.of(1, 2), patchStatistics(row, 2), stepStatistics(row, 2), 2);
  const expected = [1, 0, Math.log(100), Math.log(3) / 4, 2, Math.asinh(1.5), Math.log(1.5), Math.log(5) / 4];
  assert.equal(added.length, expected.length);
  added.forEach((value, i) => {
    assert.ok(Math.abs(value - (expected[i] as number)) < 1e-6, `${added}`);
  });
  const far = {
    count: Float64Array.of(1e20),
    last: Float64Array.of(-1e9),
    step: Float64Array.of(1e9),
  };
  const limited = addExtraStatistics(
    new Float32Array(0),
    { location: Float64Array.of(0), scale: Float64Array.of(1e-6) },
    far,
    1,
  );
  assert.deepEqual(
    [...limited].map((value) => Math.abs(value) <= 8),
    [true, true, true],
  );
});

test('restores knots as distances from the last value, at most 600,000 units', () => {
  const row = { values: Float64Array.of(1, 3, 5, 9), observed: new Uint8Array(4).fill(1) };
  const reading = ANCHORED_SCALING.read(row, 2, 0);
  const raw = new Float32Array(9);
  raw.set([0, 1, -1, 500, -500]);
  const [knots] = ANCHORED_SCALING.restore(raw, reading, 1, undefined) as [Float64Array];
  const unit = Math.sqrt(Math.sqrt(35 / 3) * (8 / 3));
  const expected = [-14, -1, 0, 0, 0, 0, 0, 1, 14].map((o) => 9 + unit * Math.sinh(o));
  knots.forEach((value, i) => {
    assert.ok(Math.abs(value - (expected[i] as number)) <= 1e-9 * Math.abs(value), `${knots}`);
  });
});
