// A process whose parts close in time, or do not, and in which one thread waits for something that never comes: a pipe
// that nobody writes into, as the name of a file.
//
//   held-up-process.ts PIPE closes|stays-open

import { Worker } from 'node:worker_threads';
import { runUntilStopped } from '../../../src/cli/serve/run-until-stopped.ts';
import { endThread } from '../../../src/compute/toto/end-thread.ts';
import { createLog } from '../../../src/platform/index.ts';

const [, , pipe = '', close] = process.argv;
const WAITING = "const { open } = require('node:fs/promises'); void open(require('node:worker_threads').workerData)";

await runUntilStopped({ shutdownSeconds: 0 }, createLog('info'), async (open) => {
  const worker = new Worker(WAITING, { eval: true, workerData: pipe });
  open.defer(async () => {
    await endThread(worker, 100);
    if (close === 'stays-open') await new Promise(() => {});
  });
  process.stdout.write('ready\n');
});
if (process.connected) process.disconnect();
