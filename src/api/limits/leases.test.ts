import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Leases } from './leases.ts';

function fill(leases: Leases, prefix: string, count: number, endsAt: number, now: number): void {
  for (let place = 0; place < count; place++) leases.put(`${prefix}${place}`, { tokens: 1, used: 1, endsAt }, now);
}

test('a lease is live until its window ends', () => {
  const leases = new Leases();
  leases.put('key', { tokens: 3, used: 3, endsAt: 100 }, 0);
  assert.equal(leases.live('key', 99)?.tokens, 3);
  assert.equal(leases.live('key', 100), undefined);
  assert.equal(leases.live('other', 0), undefined);
});

test('expired leases are swept when there are many', () => {
  const leases = new Leases();
  fill(leases, 'first', 10_000, 100, 0);
  fill(leases, 'second', 10, 1_000, 50);
  assert.equal(leases.size, 10_010, 'the first ones are still live');
  fill(leases, 'third', 20_000, 1_000, 200);
  assert.ok(leases.size <= 20_010, `${leases.size} leases are kept`);
  assert.equal(leases.live('first0', 200), undefined);
  assert.equal(leases.live('second0', 200)?.tokens, 1);
});

test('a flood of live leases does not sweep on every request', () => {
  const leases = new Leases();
  const started = performance.now();
  fill(leases, 'flood', 200_000, 1_000, 0);
  // Sweeping on each would look at 2 * 10^10 leases.
  assert.ok(performance.now() - started < 20_000);
  fill(leases, 'later', 500_000, 3_000, 2_000);
  assert.ok(leases.size < 600_000, 'and they go once they can');
});
