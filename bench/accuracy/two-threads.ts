import { Worker } from 'node:worker_threads';

/**
 * Divides items between two threads and collects what their workers post: a list of outcomes each.
 *
 * @param worker a module that finds its share of the items and everything in `settings` in `workerData`
 */
export async function runInTwoThreads<Outcome>(
  worker: URL,
  items: readonly unknown[],
  settings: Readonly<Record<string, unknown>>,
): Promise<Outcome[]> {
  // The threads get the items alternately, because files are sorted by length and kind.
  const halves = [0, 1].map((half) => items.filter((_, i) => i % 2 === half)).filter((half) => half.length > 0);
  const outcomes = await Promise.all(halves.map((half) => runWorker<Outcome>(worker, { ...settings, items: half })));
  return outcomes.flat();
}

function runWorker<Outcome>(module: URL, workerData: unknown): Promise<Outcome[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(module, { workerData });
    worker.once('message', resolve);
    worker.once('error', reject);
    // Without this, a thread that ends without a message would leave the command waiting.
    worker.once('exit', (code) => reject(new Error(`A thread ended with code ${code} before it had all outcomes.`)));
  });
}
