import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, type ProcessOptions, spawnAlmanac } from '../support/cli/almanac-process.ts';
import type { RunningProcess } from './managed-process.ts';

const START_MS = 60_000;

/** Starts `almanac worker` and waits until it is ready. */
export async function startWorkerProcess(
  environment: Environment,
  options: ProcessOptions = {},
): Promise<RunningProcess & { readonly pid: number }> {
  const { child, pid, stderr, ended } = spawnAlmanac('src/cli/almanac.ts', ['worker'], environment, options);
  const deadline = performance.now() + START_MS;
  while (!stderr().includes('worker ready')) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the worker did not start: ${stderr().slice(-1_500)}`);
    }
    await sleep(10);
  }
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { service: null, pid, ended, stderr, kill9: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
