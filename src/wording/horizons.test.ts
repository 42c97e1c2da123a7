import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREQUENCIES } from '../calendar/index.ts';
import { wordHorizon } from './horizons.ts';

test('words the horizon as people count the periods of a series', () => {
  assert.equal(wordHorizon('1D', 'session', 365).format(20), '20 trading days');
  assert.equal(wordHorizon('1D', 'daily', 365).format(1), '1 day');
  assert.equal(wordHorizon('1ME', null, 365).format(12), '12 months');
  assert.equal(wordHorizon('15min', null, 365).format(16), '16 × 15 minutes');
  assert.equal(wordHorizon('varies', null, 365).periods, 'periods');
});

test('suggests only horizons that the plan allows, ascending', () => {
  for (const frequency of FREQUENCIES) {
    for (const max of [1, 10, 96, 365]) {
      const { suggested, usual } = wordHorizon(frequency, null, max);
      assert.deepEqual(
        suggested,
        suggested.filter((count) => count <= max).toSorted((one, other) => one - other),
      );
      assert.ok(usual >= 1 && usual <= max, `${frequency} ${max}`);
    }
  }
});
