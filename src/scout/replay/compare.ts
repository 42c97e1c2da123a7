import { type Interval, percentileInterval, resample } from '../scores/bootstrap.ts';
import { logScore } from '../scores/question-scores.ts';
import { type ScoreSummary, summarise } from '../scores/summarise.ts';
import type { ReplayedQuestion } from './replay-forecast.ts';

/** The same questions with the probabilities of the ensemble and with base rates. */
export interface Comparison {
  readonly questions: number;
  readonly ours: number;
  readonly base_rate: number;
  /** Mean log loss, ours less the base rate's: below 0 we were better. */
  readonly difference: number;
  /** Of the difference, cut-offs drawn whole. */
  readonly interval: Interval | null;
}

/** Mean log losses of both, and their difference. */
export function compare(questions: readonly ReplayedQuestion[]): Comparison {
  const clusters = Array.from(Map.groupBy(questions, ({ cutoff }) => cutoff).values(), (group) => sumLosses(group));
  const [count, ours, base] = sumLosses(questions) as unknown as [number, number, number];
  const differences = Array.from(resample(clusters), (sums) => {
    const [drawn, mine, theirs] = sums as unknown as [number, number, number];
    return (mine - theirs) / drawn;
  });
  return {
    questions: count,
    ours: ours / count,
    base_rate: base / count,
    difference: (ours - base) / count,
    interval: percentileInterval(differences),
  };
}

/** Questions, our losses, the base rate's. */
function sumLosses(questions: readonly ReplayedQuestion[]): Float64Array {
  const sums = new Float64Array(3);
  for (const { probability, base_rate, happened } of questions) {
    const losses = [1, logScore(probability, happened), logScore(base_rate, happened)];
    losses.forEach((loss, i) => {
      sums[i] = (sums[i] as number) + loss;
    });
  }
  return sums;
}

/** Everything there is to say about one of the two. */
export function summariseAs(
  questions: readonly ReplayedQuestion[],
  which: 'probability' | 'ensemble_probability' | 'base_rate',
): ScoreSummary {
  return summarise(
    questions.map((question) => ({
      probability: question[which],
      happened: question.happened,
      cluster: question.cutoff,
    })),
  );
}
