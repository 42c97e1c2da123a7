import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Leases } from './rate-limiter.ts';

function fill(leases: Leases, prefix: string, count: number, endsAt: number, now: number): void {
  for (let index = 0; index < count; index++)
    leases.put(`${prefix}${index}`, { tokens: 1, used: 1, window: 0, endsAt }, now);
}

test('returns a lease until its window ends', () => {
  const leases = new Leases();
  leases.put('key', { tokens: 3, used: 3, window: 0, endsAt: 100 }, 0);
  assert.equal(leases.get('key', 99)?.tokens, 3);
  assert.equal(leases.get('key', 100), undefined);
  assert.equal(leases.get('other', 0), undefined);
});

test('removes expired leases when there are many', () => {
  const leases = new Leases();
  fill(leases, 'first', 10_000, 100, 0);
  fill(leases, 'second', 10, 1_000, 50);
  assert.equal(leases.size, 10_010, 'the first leases are still live');
  fill(leases, 'third', 20_000, 1_000, 200);
  assert.ok(leases.size <= 20_010, `${leases.size} leases are kept`);
  assert.equal(leases.get('first0', 200), undefined);
  assert.equal(leases.get('second0', 200)?.tokens, 1);
});

test('does not sweep on every request while most leases are live', () => {
  const leases = new Leases();
  // A sweep on every request would visit 2 * 10^10 leases and exceed the timeout of the test.
  fill(leases, 'flood', 200_000, 1_000, 0);
  fill(leases, 'later', 500_000, 3_000, 2_000);
  assert.ok(leases.size < 600_000, 'expired leases are removed later');
});
