import { Worker } from 'node:worker_threads';
import { meanScore, type Score } from './score.ts';
import type { BenchSeries } from './series-file.ts';
import type { Outcome } from './worker.ts';

/** Mean scores by group, then by model. */
export type Scores = Record<string, Record<string, Score & { n: number }>>;

/** Forecasts every series with every model, on two threads. The CPU time of a fit is measured in its thread. */
export async function evaluate(
  series: readonly BenchSeries[],
  models: readonly string[],
  data: string,
): Promise<{ scores: Scores; failures: Outcome[] }> {
  // The threads get the series alternately, because files are sorted by length and kind.
  const halves = [0, 1].map((half) => series.filter((_, i) => i % 2 === half)).filter((half) => half.length > 0);
  const outcomes = (await Promise.all(halves.map((half) => runWorker(half, models, data)))).flat();
  const groups = [...new Set(outcomes.map(({ group }) => group)), 'all'];
  const scores: Scores = {};
  for (const group of groups) {
    const byModel: Scores[string] = {};
    for (const model of models) {
      const mine = outcomes.filter((one) => one.model === model && (group === 'all' || one.group === group));
      byModel[model] = meanScore(mine.flatMap(({ score }) => (score === null ? [] : [score])));
    }
    scores[group] = byModel;
  }
  return { scores, failures: outcomes.filter(({ failure }) => failure !== null) };
}

function runWorker(series: readonly BenchSeries[], models: readonly string[], data: string): Promise<Outcome[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { series, models, data } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
