import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { catchRunnersHook } from './runners-hook.ts';

test('disables the hook that was enabled at the start, and no later hook', async () => {
  let started = 0;
  let later = 0;
  const disable = catchRunnersHook(() => void createHook({ init: () => (started += 1) }).enable());
  const other = createHook({ init: () => (later += 1) }).enable();
  try {
    await nextTurn();
    assert.ok(started > 0, 'the hook works');
    disable();
    const [startedBefore, laterBefore] = [started, later];
    await nextTurn();
    assert.equal(started, startedBefore);
    assert.ok(later > laterBefore);
  } finally {
    disable();
    other.disable();
  }
});
