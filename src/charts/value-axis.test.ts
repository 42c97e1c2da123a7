import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeededRandom } from '../../test/support/platform/seeded-random.ts';
import { axisFormat, formatPercent, formatValue } from './format-number.ts';
import { createValueAxis } from './value-axis.ts';

test('formats values for people in one form everywhere', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0'],
    [-0, '0'],
    [1234567.891, '1,234,568'],
    [-1234.5, '\u22121,234.5'],
    [0.1 + 0.2, '0.3'],
    [0.000012345678, '0.00001234568'],
    [99999.999, '100,000'],
    [1e21, '1e21'],
    [-2.5e-9, '\u22122.5e\u22129'],
    [Number.MAX_VALUE, '1.797693e308'],
    [Number.NaN, ''],
  ];
  for (const [value, text] of cases) assert.equal(formatValue(value), text);
  assert.deepEqual([0.8, 0.975, 0.05, 1 - 2 * 0.1, 2 / 3].map(formatPercent), ['80%', '97.5%', '5%', '80%', '66.667%']);
});

test('the labels of an axis share their unit and decimals', () => {
  const label = (step: number, ...values: number[]): string[] => values.map(axisFormat(step, Math.max(...values)));
  assert.deepEqual(label(0.5, 1, 1.5, 2), ['1.0', '1.5', '2.0']);
  assert.deepEqual(label(2.5, 0, 2.5, 5), ['0.0', '2.5', '5.0']);
  assert.deepEqual(label(25, 75, 100), ['75', '100']);
  assert.deepEqual(label(250_000, 0, 750_000, 1_250_000), ['0', '0.75M', '1.25M']);
  assert.deepEqual(label(5e11, 1e12, 1.5e12), ['1T', '1.5T']);
  assert.deepEqual(label(0.01, 1e9, 1e9 + 0.01), ['1,000,000,000.00', '1,000,000,000.01']);
  assert.deepEqual(label(1e-9, -1e-9, 0, 2e-9), ['\u22121e\u22129', '0', '2e\u22129']);
});

test('ticks are round, inside the axis, different and few', () => {
  const random = createSeededRandom(3);
  for (let i = 0; i < 500; i++) {
    const size = Number(`1e${Math.floor(random() * 500) - 250}`);
    const min = (random() - 0.5) * size;
    const max = min + random() * size * Number(`1e-${Math.floor(random() * 8)}`);
    const { low, high, step, ticks } = createValueAxis(min, max, 6);
    const about = `${min} to ${max}`;
    assert.ok(low <= min && high >= max, about);
    assert.ok(ticks.length >= 2 && ticks.length <= 7, `${about}: ${ticks.length} ticks`);
    assert.ok([1, 2, 2.5, 5].includes(Number(step.toExponential(6).split('e')[0])), `${about}: ${step}`);
    assert.equal(new Set(ticks.map(({ label }) => label)).size, ticks.length, about);
    for (const { value, label } of ticks) {
      assert.ok(value >= low && value <= high, about);
      assert.ok(label.length <= 20, label);
    }
  }
});

test('an axis of positive values does not begin below zero because of its margin', () => {
  assert.equal(createValueAxis(0.1, 100, 5).low, 0);
  assert.equal(createValueAxis(-100, -0.1, 5).high, 0);
  assert.ok(createValueAxis(-1, 100, 5).low < -1);
});
