import { preparedFolder, startService } from '../../test/support/cli/service.ts';
import { residentMiB } from './process-cost.ts';
import { median } from './statistics.ts';

export interface Starts {
  readonly runs: { readonly announcedMs: number; readonly readyMs: number; readonly rssMiB: number }[];
  readonly medianReadyMs: number;
}

/**
 * Measures starts on an existing embedded database: the time from the spawn until the key is printed, and until
 * /health/ready succeeds.
 */
export async function measureStarts(count: number): Promise<Starts> {
  await using folder = await preparedFolder();
  // Creates the account and fills the compile cache, if there is one.
  await (await startService({ data: folder.data })).stop();
  const runs: Starts['runs'] = [];
  for (let run = 0; run < count; run += 1) {
    const began = performance.now();
    await using service = await startService({ data: folder.data });
    const announcedMs = performance.now() - began;
    const { status } = await fetch(`${service.url}/health/ready`);
    if (status !== 200) throw new Error(`/health/ready returned ${status}`);
    runs.push({ announcedMs, readyMs: performance.now() - began, rssMiB: residentMiB(service.pid) });
  }
  return { runs, medianReadyMs: median(runs.map(({ readyMs }) => readyMs)) };
}
