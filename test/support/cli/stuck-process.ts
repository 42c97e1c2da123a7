// A process in which one thread waits forever: it opens a pipe that has no writer. The second argument decides whether
// the other parts close in time.
//
//   stuck-process.ts PIPE closes|stays-open

import { Worker } from 'node:worker_threads';
import { runUntilStopped } from '../../../src/cli/serve/run-until-stopped.ts';
import { createLog } from '../../../src/platform/log.ts';

const [, , pipe = '', mode] = process.argv;
const OPEN_PIPE = "const { open } = require('node:fs/promises'); void open(require('node:worker_threads').workerData)";

await runUntilStopped({ shutdownSeconds: 0 }, createLog('info'), async (open) => {
  new Worker(OPEN_PIPE, { eval: true, workerData: pipe });
  open.defer(async () => {
    if (mode === 'stays-open') await new Promise(() => {});
  });
  process.stdout.write('ready\n');
});
if (process.connected) process.disconnect();
