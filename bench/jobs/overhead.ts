import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Kind } from './service-under-test.ts';

export interface Overhead {
  /** CPU time per job in milliseconds, of all threads of the process; medians over the rounds. */
  readonly directMs: number;
  readonly queuedMs: number;
}

/** Runs the comparison in its own process, so that its CPU time is not mixed with other work. */
export async function measureOverhead(
  kind: Kind,
  { rounds, jobs }: { rounds: number; jobs: number },
): Promise<Overhead> {
  const child = fork(new URL('./compare-cpu.ts', import.meta.url), [kind, String(rounds), String(jobs)]);
  const outcome = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => null)]);
  if (outcome === null) throw new Error('The comparison ended without a result.');
  if (child.exitCode === null) await once(child, 'exit');
  return outcome[0] as Overhead;
}
