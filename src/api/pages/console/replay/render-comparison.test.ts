import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIN_DIFFERENCE } from '../../../../wording/index.ts';
import { describeGain } from './render-comparison.ts';

test('a gain is called equal below the same difference as on the page of a forecast', () => {
  assert.equal(describeGain(0.9 * MIN_DIFFERENCE), 'equal');
  assert.equal(describeGain(-0.9 * MIN_DIFFERENCE), 'equal');
  assert.equal(describeGain(0.012), '1.2% better');
  assert.equal(describeGain(-0.23), '23% worse');
  assert.equal(describeGain(null), '–');
});
