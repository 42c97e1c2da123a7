// The thread of the watchdog; see watchdog.ts.

import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { count, stuckSeconds } = workerData as { readonly count: Int32Array; readonly stuckSeconds: number };

const TICK_MS = 1_000;
const STDERR = 2;

let lastCount = Atomics.load(count, 0);
let ticksWithoutCount = 0;

// The ticks of this thread are counted, not the time: while the process is stopped or the machine is suspended, this
// thread does not run either.
setInterval(() => {
  const current = Atomics.load(count, 0);
  ticksWithoutCount = current === lastCount ? ticksWithoutCount + 1 : 0;
  lastCount = current;
  if (ticksWithoutCount >= stuckSeconds) endProcess();
}, TICK_MS);

/** Ends the process. `process.exit` would end only this thread. */
function endProcess(): void {
  const msg = `the main thread has not responded for ${stuckSeconds} s; ending the process, so that it can be restarted`;
  try {
    writeSync(STDERR, `${JSON.stringify({ level: 60, time: Date.now(), msg })}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
