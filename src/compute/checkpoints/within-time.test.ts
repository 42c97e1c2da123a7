import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withinTime } from './within-time.ts';

test('what comes in time is given, also if it is an error', async () => {
  assert.equal(await withinTime(10_000, async () => 7), 7);
  await assert.rejects(
    withinTime(10_000, async () => {
      throw new Error('no');
    }),
    /^Error: no$/,
  );
});

test('what never comes is left behind, and told to stop', async () => {
  let told: AbortSignal | undefined;
  const waiting = withinTime(20, (signal) => {
    told = signal;
    return new Promise(() => {});
  });
  await assert.rejects(waiting, /^Error: it took longer than 0\.02 seconds$/);
  assert.equal(told?.aborted, true);
});
