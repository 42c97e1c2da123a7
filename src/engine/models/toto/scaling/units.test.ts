import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PatchedRow } from './patched-row.ts';
import { chooseNearbyUnits, fromUnits, type RowUnits, toUnits } from './units.ts';

function rowOf(values: readonly number[]): PatchedRow {
  return { values: Float64Array.from(values), observed: new Uint8Array(values.length).fill(1) };
}

function unitsOf(values: readonly number[]): RowUnits {
  const units = chooseNearbyUnits(rowOf(values));
  assert.ok(units !== null);
  return units;
}

test('leaves ordinary series unchanged', () => {
  for (const values of [
    [3, 4, 9],
    [0, 0, 1e-3],
    [-5e4, 1e12],
    [-1000, -1004],
    [1e6, 1e6 + 1e4],
  ]) {
    assert.deepEqual(unitsOf(values), { level: 0, unit: 1 }, `${values}`);
  }
  assert.equal(chooseNearbyUnits(rowOf([7, 7])), null);
  assert.equal(chooseNearbyUnits({ values: Float64Array.of(7, 9), observed: Uint8Array.of(1, 0) }), null);
});

test('shifts and scales other series as little as needed, and converts back exactly', () => {
  for (const values of [
    [5e-324, 0],
    [1.7e308, -1.7e308],
    [1.7e308, 1.6e308],
    [1e9, 1e9 + 1e-6],
    [-1e9, -1e9 + 3],
    [1e300, 1.0001e300],
    [1e-300, 2e-300],
  ]) {
    const units = unitsOf(values);
    const near = toUnits(rowOf(values), units).values;
    const half = (Math.max(...near) - Math.min(...near)) / 2;
    assert.ok(half >= 2 ** -12 && half < 2 ** 258, `${values}: ${half}`);
    assert.ok(Math.min(...near.map(Math.abs)) <= 1025 * half, `${values}: ${near}`);
    near.forEach((value, i) => {
      assert.equal(fromUnits(value, units), values[i]);
    });
  }
  assert.equal(unitsOf([1024, 1026]).level, 0);
  assert.equal(unitsOf([1025, 1027]).level, 1);
  assert.equal(unitsOf([-1027, -1025]).level, -1);
  assert.deepEqual([unitsOf([0, 2 ** -10]).unit, unitsOf([0, 2 ** -11]).unit], [1, 0.5]);
});
