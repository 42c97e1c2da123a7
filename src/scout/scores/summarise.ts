import { type BootstrapOptions, type Interval, percentileInterval, resample } from './bootstrap.ts';
import { binsOf, type CalibrationBin, calibrationErrorOf } from './calibration.ts';
import { type ScoredQuestion, sumsOf, type Tally, tallyOf } from './tally.ts';

const FIGURES = [
  'mean_log_loss',
  'brier',
  'base_rate',
  'skill_vs_half',
  'skill_vs_base_rate',
  'brier_skill_vs_base_rate',
  'calibration_error',
] as const;

/** Null without questions; the skills against the base rate also where all answers are the same. */
export type Figures = Readonly<Record<(typeof FIGURES)[number], number | null>>;

export interface ScoreSummary extends Figures {
  readonly questions: number;
  readonly resolved_yes: number;
  /** What is drawn: groups of questions that belong together. */
  readonly clusters: number;
  readonly bins: readonly CalibrationBin[];
  /**
   * Bootstrap intervals of 95 %, clusters drawn whole; null with fewer than two clusters. A draw whose answers are all
   * the same has no skill against the base rate: null also where such draws leave too few others.
   */
  readonly intervals: Readonly<Record<(typeof FIGURES)[number], Interval | null>>;
}

/**
 * How good the probabilities of answered questions were.
 *
 * The base rate is the share of yes among these same questions. Nobody knew it beforehand, so a skill of 0 against it is
 * already worth something. A skill is 1 - loss / loss of the reference: 1 is perfect, 0 as good, below 0 worse.
 */
export function summarise(rows: readonly ScoredQuestion[], options: BootstrapOptions = {}): ScoreSummary {
  const clusters = tallyClusters(rows);
  const total = tallyOf(rows);
  const { questions, yes } = sumsOf(total);
  return {
    questions,
    resolved_yes: yes,
    clusters: clusters.length,
    ...figuresOf(total),
    bins: binsOf(total),
    intervals: intervalsOf(clusters, options),
  };
}

function tallyClusters(rows: readonly ScoredQuestion[]): Tally[] {
  const groups = Map.groupBy(rows, ({ cluster }, i) => (cluster === undefined ? i : cluster));
  return Array.from(groups.values(), tallyOf);
}

function figuresOf(tally: Tally): Figures {
  const { questions, yes, log, brier } = sumsOf(tally);
  const base = yes / questions;
  const isMixed = yes > 0 && yes < questions;
  const surprise = -(base * Math.log(base) + (1 - base) * Math.log1p(-base));
  const mean = (sum: number): number | null => (questions === 0 ? null : sum / questions);
  return {
    mean_log_loss: mean(log),
    brier: mean(brier),
    base_rate: mean(yes),
    skill_vs_half: questions === 0 ? null : 1 - log / questions / Math.LN2,
    skill_vs_base_rate: isMixed ? 1 - log / questions / surprise : null,
    brier_skill_vs_base_rate: isMixed ? 1 - brier / questions / (base * (1 - base)) : null,
    calibration_error: calibrationErrorOf(tally),
  };
}

function intervalsOf(clusters: readonly Tally[], options: BootstrapOptions): ScoreSummary['intervals'] {
  const drawn = Array.from(resample(clusters, options), figuresOf);
  const of = (name: (typeof FIGURES)[number]): Interval | null =>
    percentileInterval(drawn.map((figures) => figures[name]));
  return Object.fromEntries(FIGURES.map((name) => [name, of(name)])) as ScoreSummary['intervals'];
}
