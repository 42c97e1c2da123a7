import { meanScore, type Score } from './score.ts';
import type { BenchSeries } from './series-file.ts';
import { runInTwoThreads } from './two-threads.ts';
import type { Outcome } from './worker.ts';

/** Mean scores by group, then by model. */
export type Scores = Record<string, Record<string, Score & { n: number }>>;

/** Forecasts every series with every model, on two threads. The CPU time of a fit is measured in its thread. */
export async function evaluate(
  series: readonly BenchSeries[],
  models: readonly string[],
  data: string,
): Promise<{ scores: Scores; failures: Outcome[] }> {
  const worker = new URL('./worker.ts', import.meta.url);
  const outcomes = await runInTwoThreads<Outcome>(worker, series, { models, data });
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
