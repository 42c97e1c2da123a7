import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LruCache } from './lru-cache.ts';

test('evicts the least recently used entry of a full cache', () => {
  const cache = new LruCache<string, number>({ maxEntries: 2 });
  assert.deepEqual(cache.set('a', 1), []);
  assert.deepEqual(cache.set('b', 2), []);
  assert.equal(cache.get('a'), 1);
  assert.deepEqual(cache.set('c', 3), [2]);
  assert.equal(cache.get('b'), undefined);
  assert.deepEqual(cache.set('a', 4), [], 'replacing an entry evicts nothing');
  assert.deepEqual(cache.clear(), [3, 4]);
  assert.equal(cache.get('a'), undefined);
});

test('evicts entries beyond a byte limit and keeps one that alone exceeds it', () => {
  const cache = new LruCache<string, string>({ maxEntries: 500, maxBytes: 10, sizeOf: (text) => text.length });
  cache.set('a', '1234');
  cache.set('b', '1234');
  cache.get('a');
  cache.set('c', '1234');
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], ['1234', undefined, '1234']);
  cache.delete('a');
  assert.equal(cache.get('a'), undefined);
  cache.set('huge', '12345678901234567890');
  assert.equal(cache.get('huge'), '12345678901234567890');
  assert.equal(cache.size, 1);
});

test('evicts others when a value that has grown is used', () => {
  const cache = new LruCache<string, { size: number }>({ maxEntries: 500, maxBytes: 10, sizeOf: ({ size }) => size });
  const growing = { size: 1 };
  cache.set('a', { size: 5 });
  cache.set('b', growing);
  growing.size = 9;
  cache.get('b');
  assert.equal(cache.size, 1);
});
