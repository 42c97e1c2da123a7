import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnAlmanac } from '../support/cli/almanac-process.ts';
import { temporaryFolder } from '../support/cli/service.ts';

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));
const pipe = join(folder, 'pipe');
execFileSync('mkfifo', [pipe]);

// An exit would wait for the stuck thread forever.
describe('kills a process with a stuck thread', { concurrency: true }, () => {
  for (const [mode, isStopped] of [
    ['closes', true],
    ['stays-open', false],
  ] as const) {
    test(`when the other parts ${isStopped ? 'have closed' : 'do not close in time'}`, {
      timeout: 60_000,
    }, async () => {
      const started = spawnAlmanac('test/support/cli/stuck-process.ts', [pipe, mode], {});
      while (started.stdout() !== 'ready\n') await sleep(20);
      // Waits until the thread blocks on the pipe.
      await sleep(500);
      started.child.kill('SIGTERM');
      const { signal, stderr } = await started.ended;
      assert.equal(signal, 'SIGKILL');
      assert.equal(/"stopped"/.test(stderr), isStopped);
      assert.match(stderr, /not stopped in time/);
    });
  }
});
