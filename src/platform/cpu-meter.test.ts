import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCpuMeter } from './cpu-meter.ts';

test('runs at the same time share the CPU that was used meanwhile', () => {
  let used = 100;
  const meter = createCpuMeter(() => used);
  const endFirst = meter.begin();
  used += 4;
  const endSecond = meter.begin();
  used += 6;
  assert.equal(endFirst(), 7);
  used += 5;
  assert.equal(endSecond(), 8);
  assert.equal(endSecond(), 8, 'ending twice changes nothing');
  used += 50;
  assert.equal(meter.begin()(), 0, 'what was used between runs counts for none');
});
