import { parentPort, workerData } from 'node:worker_threads';
import { loadModels, threadCpuMs } from '../accuracy/models.ts';
import { forecastEntry } from './entries.ts';
import type { WindowSeries } from './read-sets.ts';

/** The forecast of a window by one entry, or the reason why there is none. */
export interface Outcome {
  /** The position of the window in the list of all windows. */
  readonly index: number;
  readonly entry: string;
  readonly rows: readonly Float64Array[] | null;
  readonly failure: string | null;
  readonly cpuMs: number;
}

interface Work {
  readonly items: readonly { readonly index: number; readonly series: WindowSeries }[];
  readonly entries: readonly string[];
  /** The data folder, which may have an installed checkpoint. */
  readonly data: string;
}

const { items, entries, data } = workerData as Work;
const runner = await loadModels(data);

// Warms up, because the first fits are slow and a running service is warm.
for (const item of items.slice(0, 3)) await forecastAll(item);
const outcomes: Outcome[] = [];
for (const item of items) outcomes.push(...(await forecastAll(item)));
parentPort?.postMessage(outcomes);

async function forecastAll({ index, series }: Work['items'][number]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const entry of entries) {
    // Entries share no fits, so that the CPU time of each is all that it needs.
    runner.forget();
    const before = threadCpuMs();
    try {
      const rows = await forecastEntry(entry, series, runner);
      outcomes.push({ index, entry, rows, failure: null, cpuMs: threadCpuMs() - before });
    } catch (error) {
      outcomes.push({ index, entry, rows: null, failure: (error as Error).message, cpuMs: threadCpuMs() - before });
    }
  }
  return outcomes;
}
