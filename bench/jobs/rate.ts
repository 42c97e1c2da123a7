import { startWorkerProcess } from '../../test/chaos/worker-process.ts';
import { openFullQueue } from './full-queue.ts';

/** Measures how many small jobs per second worker processes complete from a full queue. */
export async function measureRate(workers: number, jobs: number): Promise<{ readonly perSecond: number }> {
  await using queue = await openFullQueue(jobs);
  const environment = { DATABASE_URL: queue.url, ALMANAC_DATABASE_POOL: '5' };
  const processes = await Promise.all(Array.from({ length: workers }, () => startWorkerProcess(environment)));
  try {
    return { perSecond: await queue.rate() };
  } finally {
    await Promise.all(processes.map((worker) => worker.stop()));
  }
}
