import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nestedPeriods } from './nested-periods.ts';

test('seasons that the series covers twice and that nest are used', () => {
  const hours = { frequency: '1h', kind: 'plain' } as const;
  assert.deepEqual(nestedPeriods(hours, 1, 900), [24, 168]);
  assert.deepEqual(nestedPeriods(hours, 1, 335), [24]);
  assert.deepEqual(nestedPeriods(hours, 1, 47), []);
  assert.deepEqual(nestedPeriods({ frequency: '1D', kind: 'plain' }, 1, 5000), [7]);
  assert.deepEqual(nestedPeriods({ frequency: '30min', kind: 'plain' }, 1, 5000), [48, 336]);
});

test('a season that the cadence does not give is the only one', () => {
  assert.deepEqual(nestedPeriods({ frequency: '1h', kind: 'plain' }, 5, 900), [5]);
});
