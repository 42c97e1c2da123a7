import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentlyUsed } from './recently-used.ts';

test('when there is no room, the entry goes that was used the longest ago', () => {
  const entries = new RecentlyUsed<string, number>(2);
  assert.equal(entries.set('a', 1), undefined);
  assert.equal(entries.set('b', 2), undefined);
  assert.equal(entries.get('a'), 1);
  assert.equal(entries.set('c', 3), 2);
  assert.equal(entries.get('b'), undefined);
  assert.equal(entries.set('a', 4), undefined, 'an entry that is there needs no room');
  assert.deepEqual(entries.clear(), [3, 4]);
  assert.equal(entries.get('a'), undefined);
});
