import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnAlmanac } from '../support/cli/almanac-process.ts';

/** Starts a process with a watchdog and waits until it is ready. */
async function startWatched(mode: 'stuck' | 'working') {
  const started = spawnAlmanac('test/support/cli/watched-process.ts', [mode], {});
  while (started.stdout() !== 'ready\n') await sleep(20);
  return started;
}

describe('the watchdog', { concurrency: true }, () => {
  test('a process whose main thread is stuck ends with one line on standard error', { timeout: 60_000 }, async () => {
    const { ended } = await startWatched('stuck');
    const { signal, stderr } = await ended;
    assert.equal(signal, 'SIGKILL');
    const [line, ...rest] = stderr.trim().split('\n');
    assert.match(JSON.parse(line ?? '').msg, /the main thread has not responded for 1 s; ending the process/);
    assert.deepEqual(rest, []);
  });

  test('a process that was stopped for longer and continued does not end', { timeout: 60_000 }, async () => {
    const { child, ended } = await startWatched('working');
    child.kill('SIGSTOP');
    await sleep(4_000);
    child.kill('SIGCONT');
    // The thread has compared the counts by then.
    await sleep(1_500);
    child.kill('SIGTERM');
    assert.deepEqual([(await ended).signal, (await ended).stderr], ['SIGTERM', '']);
  });
});
