import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAdmissible } from './smoothing-space.ts';

test('agrees with R on admissible smoothing parameters', () => {
  assert.equal(isAdmissible({ alpha: 0.4, beta: 0.3, gamma: 0.1, phi: 0.9 }, 7), true);
  assert.equal(isAdmissible({ alpha: 0.9, beta: 0.4, gamma: 0.06, phi: 0.95 }, 7), false);
  assert.equal(isAdmissible({ alpha: 0.3, beta: 0.01, gamma: 0.1, phi: 0.9 }, 12), true);
  assert.equal(isAdmissible({ alpha: 0.6, beta: 0.3, gamma: 0.3, phi: 0.9 }, 12), false);
});
