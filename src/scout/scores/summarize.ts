import type { Interval } from '../../engine/index.ts';
import { type BootstrapOptions, percentileInterval, resample } from './bootstrap.ts';
import { buildBins, type CalibrationBin, computeCalibrationError } from './calibration.ts';
import { readSums, type ScoredQuestion, type Tally, tallyQuestions } from './tally.ts';

/** The names of all scores that have an interval. */
export const SCORES_WITH_INTERVALS = [
  'mean_log_loss',
  'brier',
  'base_rate',
  'skill_vs_half',
  'skill_vs_base_rate',
  'brier_skill_vs_base_rate',
  'calibration_error',
] as const;

/**
 * All scores are null if there are no questions. Skills against the base rate are also null if all outcomes are the
 * same.
 */
type Figures = Readonly<Record<(typeof SCORES_WITH_INTERVALS)[number], number | null>>;

export interface ScoreSummary extends Figures {
  readonly questions: number;
  readonly resolved_yes: number;
  /** The number of clusters: groups of questions that are drawn together. */
  readonly clusters: number;
  readonly bins: readonly CalibrationBin[];
  /**
   * 95% bootstrap intervals, resampled by cluster. An interval is null if there are fewer than two clusters. The
   * interval of a skill against the base rate is also null if too few draws have both outcomes, because this skill is
   * undefined for a draw whose outcomes are all the same.
   */
  readonly intervals: Readonly<Record<(typeof SCORES_WITH_INTERVALS)[number], Interval | null>>;
}

/**
 * Scores the probabilities of resolved questions.
 *
 * The base rate is the share of yes among the same questions. It can be computed only after the questions are resolved,
 * so even a skill of 0 against it is an achievement. A skill is 1 minus our loss divided by the loss of the reference:
 * 1 is perfect, 0 is as good as the reference, and below 0 is worse.
 */
export function summarize(questions: readonly ScoredQuestion[], options: BootstrapOptions = {}): ScoreSummary {
  const clusters = tallyClusters(questions);
  const total = tallyQuestions(questions);
  const { questions: count, yes } = readSums(total);
  return {
    questions: count,
    resolved_yes: yes,
    clusters: clusters.length,
    ...computeFigures(total),
    bins: buildBins(total),
    intervals: computeIntervals(clusters, options),
  };
}

function tallyClusters(questions: readonly ScoredQuestion[]): Tally[] {
  const groups = Map.groupBy(questions, ({ cluster }, i) => (cluster === undefined ? i : cluster));
  return Array.from(groups.values(), tallyQuestions);
}

function computeFigures(tally: Tally): Figures {
  const { questions, yes, log, brier } = readSums(tally);
  const base = yes / questions;
  const isMixed = yes > 0 && yes < questions;
  const baseLoss = -(base * Math.log(base) + (1 - base) * Math.log1p(-base));
  const mean = (sum: number): number | null => (questions === 0 ? null : sum / questions);
  return {
    mean_log_loss: mean(log),
    brier: mean(brier),
    base_rate: mean(yes),
    skill_vs_half: questions === 0 ? null : 1 - log / questions / Math.LN2,
    skill_vs_base_rate: isMixed ? 1 - log / questions / baseLoss : null,
    brier_skill_vs_base_rate: isMixed ? 1 - brier / questions / (base * (1 - base)) : null,
    calibration_error: computeCalibrationError(tally),
  };
}

function computeIntervals(clusters: readonly Tally[], options: BootstrapOptions): ScoreSummary['intervals'] {
  const drawn = Array.from(resample(clusters, options), computeFigures);
  const intervals = SCORES_WITH_INTERVALS.map((name) => [
    name,
    percentileInterval(drawn.map((figures) => figures[name])),
  ]);
  return Object.fromEntries(intervals) as ScoreSummary['intervals'];
}
