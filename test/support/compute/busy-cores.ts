import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** Counts without a pause. The limit of its CPU time, in seconds, ends it if nothing else does. */
const SPIN = 'ulimit -t 60; while :; do :; done';

/** Keeps every core busy with `perCore` processes that never pause, until disposal. A shell starts faster than a thread. */
export async function keepCoresBusy(perCore = 4): Promise<AsyncDisposable> {
  const spinners = Array.from({ length: availableParallelism() * perCore }, () =>
    spawn('/bin/sh', ['-c', SPIN], { stdio: 'ignore' }),
  );
  await Promise.all(spinners.map((spinner) => once(spinner, 'spawn')));
  return {
    [Symbol.asyncDispose]: async () => {
      const exits = spinners.map((spinner) => once(spinner, 'exit'));
      for (const spinner of spinners) spinner.kill('SIGKILL');
      await Promise.all(exits);
    },
  };
}
