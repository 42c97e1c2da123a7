import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retry } from './retry.ts';

test('repeats an attempt with the given delays until it succeeds', async () => {
  const sleeps: number[] = [];
  let attempts = 0;
  const result = await retry(
    async () => {
      attempts += 1;
      if (attempts < 3) throw new Error(`attempt ${attempts}`);
      return 'done';
    },
    {
      delayAfter: (error, count) => {
        assert.equal((error as Error).message, `attempt ${count}`);
        return 10 * count;
      },
      sleep: async (ms) => sleeps.push(ms),
    },
  );
  assert.equal(result, 'done');
  assert.deepEqual(sleeps, [10, 20]);
});

test('ends with the error that delayAfter throws', async () => {
  let attempts = 0;
  const failing = retry(
    async () => {
      attempts += 1;
      throw new Error('broken');
    },
    {
      delayAfter: (error, count) => {
        if (count === 2) throw new Error('given up', { cause: error });
        return 0;
      },
    },
  );
  await assert.rejects(
    failing,
    (error: Error) => error.message === 'given up' && (error.cause as Error).message === 'broken',
  );
  assert.equal(attempts, 2);
});

test('throws the reason of a signal that aborts during a delay', async () => {
  const abort = new AbortController();
  const reason = new Error('no longer needed');
  const waiting = retry(
    async () => {
      setImmediate(() => abort.abort(reason));
      throw new Error('broken');
    },
    { delayAfter: () => 60_000, signal: abort.signal },
  );
  await assert.rejects(waiting, reason);
});
