import { SCORE_DEFINITION } from '../scores/question-scores.ts';
import type { ScoreSummary } from '../scores/summarise.ts';
import { type Comparison, compare, summariseAs } from './compare.ts';
import type { ReplayedForecast, ReplayedQuestion } from './replay-forecast.ts';

/** What a replay showed, as the command prints it. */
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
  /** What the quantiles alone would have said. */
  readonly ensemble: ScoreSummary;
  readonly base_rate: ScoreSummary;
  readonly coherence: Coherence;
  /** Forecasts in which some models took no part. */
  readonly left_out: readonly {
    readonly cutoff: string;
    readonly horizon: number;
    readonly models: readonly string[];
  }[];
}

export interface Coherence {
  readonly lowest_probability: number;
  readonly highest_probability: number;
  /** Neighbouring thresholds of one forecast and horizon of which the higher one was called likelier. */
  readonly incoherent_pairs: number;
}

export function reportReplay(replayed: readonly ReplayedForecast[]): ReplayReport {
  const questions = replayed.flatMap((one) => one.questions);
  const horizons = distinct(questions.map(({ horizon }) => horizon));
  const changes = distinct(questions.map(({ change }) => change));
  const of = (horizon: number | null, change: number | null): Comparison =>
    compare(
      questions.filter(
        (one) => (horizon === null || one.horizon === horizon) && (change === null || one.change === change),
      ),
    );
  return {
    cutoffs: new Set(questions.map(({ cutoff }) => cutoff)).size,
    first_cutoff: replayed[0]?.cutoff ?? null,
    last_cutoff: replayed.at(-1)?.cutoff ?? null,
    score_definition: SCORE_DEFINITION,
    log_loss: compare(questions),
    by_horizon: horizons.map((horizon) => ({ horizon, ...of(horizon, null) })),
    by_change: changes.map((change) => ({ change_pct: change, ...of(null, change) })),
    by_horizon_and_change: horizons.flatMap((horizon) =>
      changes.map((change) => ({ horizon, change_pct: change, ...of(horizon, change) })),
    ),
    ours: summariseAs(questions, 'probability'),
    ensemble: summariseAs(questions, 'ensemble_probability'),
    base_rate: summariseAs(questions, 'base_rate'),
    coherence: checkCoherence(questions),
    left_out: replayed
      .filter(({ leftOut }) => leftOut.length > 0)
      .map(({ cutoff, horizon, leftOut: models }) => ({ cutoff, horizon, models })),
  };
}

export function checkCoherence(questions: readonly ReplayedQuestion[]): Coherence {
  const forecasts = Map.groupBy(questions, ({ cutoff, horizon }) => `${cutoff} ${horizon}`).values();
  const incoherent = Array.from(forecasts, (asked) => {
    const ascending = asked.toSorted((a, b) => a.threshold - b.threshold);
    return ascending.filter(({ probability }, i) => probability > (ascending[i - 1]?.probability ?? 1)).length;
  });
  const probabilities = questions.map(({ probability }) => probability);
  return {
    lowest_probability: Math.min(...probabilities),
    highest_probability: Math.max(...probabilities),
    incoherent_pairs: incoherent.reduce((sum, pairs) => sum + pairs, 0),
  };
}

function distinct(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
