import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { startWorkerProcess } from '../../test/chaos/worker-process.ts';
import { openFullQueue } from '../jobs/full-queue.ts';
import { OTHER_CORE, pin, SERVICE_CORE } from './pinned-scene.ts';
import { costSince, readServerCost, type ServerCost } from './server-cost.ts';

export interface SleeperFigures {
  readonly perSecond: number;
  /** What the server used to create the jobs, and to run them. */
  readonly creation: ServerCost;
  readonly run: ServerCost;
}

/** Measures workers whose engine sleeps. */
export async function measureSleepers(workers: number, jobs: number, sleepMs: number): Promise<SleeperFigures> {
  await using queue = await openFullQueue(jobs);
  const processes: ChildProcess[] = [];
  try {
    for (let i = 0; i < workers; i += 1)
      processes.push(fork(new URL('./sleeping-worker.ts', import.meta.url), [queue.url, String(sleepMs)]));
    await Promise.all(processes.map((one) => once(one, 'message')));
    const before = await readServerCost(queue.database);
    for (const one of processes) one.send('begin');
    const perSecond = await queue.rate();
    const run = costSince(before, await readServerCost(queue.database));
    return { perSecond, creation: queue.creation, run };
  } finally {
    await Promise.all(
      processes.map(async (one) => {
        one.disconnect();
        await once(one, 'exit');
      }),
    );
  }
}

/** What workers mostly run: it keeps a core busy for a tenth of a second. */
const USUAL = { rows: 240, models: ['theta', 'ets', 'arima'] };

/** Returns the jobs per second of real workers, each with all of its threads on one core. */
export async function measurePinnedWorkers(workers: number, jobs: number): Promise<number> {
  await using queue = await openFullQueue(jobs, USUAL);
  const environment = { DATABASE_URL: queue.url, ALMANAC_DATABASE_POOL: '5', ALMANAC_FIT_THREADS: '1' };
  const processes = await Promise.all(
    Array.from({ length: workers }, async (_, i) => {
      const started = await startWorkerProcess(environment);
      pin(started.pid, i % 2 === 0 ? SERVICE_CORE : OTHER_CORE);
      return started;
    }),
  );
  try {
    return await queue.rate();
  } finally {
    await Promise.all(processes.map((worker) => worker.stop()));
  }
}
