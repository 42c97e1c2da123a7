import assert from 'node:assert/strict';
import { test } from 'node:test';
import { once } from './once.ts';

test('shares one run among concurrent calls and its result with later calls', async () => {
  let calls = 0;
  const read = once(async () => ++calls);
  assert.deepEqual(await Promise.all([read(), read()]), [1, 1]);
  assert.equal(await read(), 1);
});

test('runs again after a failure', async () => {
  let calls = 0;
  const read = once(async () => {
    if (++calls === 1) throw new Error('not yet');
    return calls;
  });
  await assert.rejects(Promise.all([read(), read()]), /not yet/);
  assert.equal(await read(), 2);
  assert.equal(await read(), 2);
});
