import type { Interval } from '../../engine/index.ts';
import { csvCell } from '../../snapshots/index.ts';
import { percentileInterval, resample } from '../scores/bootstrap.ts';
import { logScore, SCORE_DEFINITION } from '../scores/question-scores.ts';
import { type ScoreSummary, summarize } from '../scores/summarize.ts';
import type { ReplayedForecast, ReplayedQuestion } from './replay-forecast.ts';

/** The scores of a replay, as the command prints them. */
export interface ReplayReport {
  readonly cutoffs: number;
  readonly first_cutoff: string | null;
  readonly last_cutoff: string | null;
  readonly score_definition: string;
  readonly log_loss: Comparison;
  readonly by_horizon: readonly (Comparison & { readonly horizon: number })[];
  readonly by_change: readonly (Comparison & { readonly change_pct: number })[];
  readonly by_horizon_and_change: readonly (Comparison & { readonly horizon: number; readonly change_pct: number })[];
  readonly ours: ScoreSummary;
  /** Scores of the probabilities from the quantiles alone, without past prices. */
  readonly ensemble: ScoreSummary;
  readonly base_rate: ScoreSummary;
  readonly coherence: Coherence;
  /** Forecasts in which some models did not complete, with the names of these models. */
  readonly left_out: readonly {
    readonly cutoff: string;
    readonly horizon: number;
    readonly models: readonly string[];
  }[];
}

interface Coherence {
  readonly lowest_probability: number;
  readonly highest_probability: number;
  /**
   * Number of pairs of neighboring thresholds of one forecast in which the higher threshold has the higher probability.
   */
  readonly incoherent_pairs: number;
}

export function buildReplayReport(replayed: readonly ReplayedForecast[]): ReplayReport {
  const questions = replayed.flatMap((forecast) => forecast.questions);
  const horizons = sortDistinct(questions.map(({ horizon }) => horizon));
  const changes = sortDistinct(questions.map(({ change }) => change));
  const compareWhere = (horizon: number | null, change: number | null): Comparison =>
    compareLosses(
      questions.filter(
        (question) =>
          (horizon === null || question.horizon === horizon) && (change === null || question.change === change),
      ),
    );
  return {
    cutoffs: new Set(questions.map(({ cutoff }) => cutoff)).size,
    first_cutoff: replayed[0]?.cutoff ?? null,
    last_cutoff: replayed.at(-1)?.cutoff ?? null,
    score_definition: SCORE_DEFINITION,
    log_loss: compareLosses(questions),
    by_horizon: horizons.map((horizon) => ({ horizon, ...compareWhere(horizon, null) })),
    by_change: changes.map((change) => ({ change_pct: change, ...compareWhere(null, change) })),
    by_horizon_and_change: horizons.flatMap((horizon) =>
      changes.map((change) => ({ horizon, change_pct: change, ...compareWhere(horizon, change) })),
    ),
    ours: summarizeBy(questions, 'probability'),
    ensemble: summarizeBy(questions, 'ensemble_probability'),
    base_rate: summarizeBy(questions, 'base_rate'),
    coherence: checkCoherence(questions),
    left_out: replayed
      .filter(({ omittedModels }) => omittedModels.length > 0)
      .map(({ cutoff, horizon, omittedModels: models }) => ({ cutoff, horizon, models })),
  };
}

export function checkCoherence(questions: readonly ReplayedQuestion[]): Coherence {
  const forecasts = Map.groupBy(questions, ({ cutoff, horizon }) => `${cutoff} ${horizon}`).values();
  const incoherent = Array.from(forecasts, (group) => {
    const ascending = group.toSorted((a, b) => a.threshold - b.threshold);
    return ascending.filter(({ probability }, i) => probability > (ascending[i - 1]?.probability ?? 1)).length;
  });
  const probabilities = questions.map(({ probability }) => probability);
  return {
    lowest_probability: Math.min(...probabilities),
    highest_probability: Math.max(...probabilities),
    incoherent_pairs: incoherent.reduce((sum, pairs) => sum + pairs, 0),
  };
}

function sortDistinct(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

/** Mean log losses of the same questions with our probabilities and with base rates. */
interface Comparison {
  readonly questions: number;
  readonly ours: number;
  readonly base_rate: number;
  /** Our loss minus the loss of the base rate. If it is below 0, our probabilities are better. */
  readonly difference: number;
  /** The 95% interval of the difference, resampled by cutoff. Null if there are fewer than two cutoffs. */
  readonly interval: Interval | null;
}

export function compareLosses(questions: readonly ReplayedQuestion[]): Comparison {
  const clusters = Array.from(Map.groupBy(questions, ({ cutoff }) => cutoff).values(), (group) => sumLosses(group));
  const [count, ours, base] = sumLosses(questions) as unknown as [number, number, number];
  const differences = Array.from(resample(clusters), (sums) => {
    const [drawn, ourLoss, baseLoss] = sums as unknown as [number, number, number];
    return (ourLoss - baseLoss) / drawn;
  });
  return {
    questions: count,
    ours: ours / count,
    base_rate: base / count,
    difference: (ours - base) / count,
    interval: percentileInterval(differences),
  };
}

/** Returns three numbers: the number of questions, the sum of our losses and the sum of the base rates' losses. */
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

function summarizeBy(
  questions: readonly ReplayedQuestion[],
  which: 'probability' | 'ensemble_probability' | 'base_rate',
): ScoreSummary {
  return summarize(
    questions.map((question) => ({
      probability: question[which],
      happened: question.happened,
      cluster: question.cutoff,
    })),
  );
}

const CSV_COLUMNS: Readonly<Record<string, (question: ReplayedQuestion) => string | number>> = {
  cutoff: ({ cutoff }) => cutoff,
  horizon: ({ horizon }) => horizon,
  change_pct: ({ change }) => change,
  threshold: ({ threshold }) => threshold,
  observed_at: ({ observed }) => observed.timestamp,
  observed_value: ({ observed }) => observed.value,
  happened: ({ happened }) => (happened ? 1 : 0),
  probability: ({ probability }) => probability,
  part: ({ part }) => part,
  ensemble_probability: ({ ensemble_probability }) => ensemble_probability,
  past_share: ({ past_share }) => past_share ?? '',
  base_rate: ({ base_rate }) => base_rate,
};

/** Returns a CSV file with one line per question, from which every figure of the report can be computed. */
export function formatReplayCsv(replayed: readonly ReplayedForecast[]): string {
  const lines = replayed.flatMap(({ questions }) =>
    questions.map((question) => Object.values(CSV_COLUMNS).map((read) => csvCell(String(read(question))))),
  );
  return [Object.keys(CSV_COLUMNS), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}
