import type { Interval } from './bootstrap.ts';
import { BIN_COUNT, binSumsOf, type ScoredQuestion, type Tally, tallyOf } from './tally.ts';

/** The questions with probabilities from `from` up to `to`, and how often they came true. */
export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  readonly questions: number;
  /** Null in a bin without questions, as are the next two. */
  readonly mean_probability: number | null;
  readonly share_yes: number | null;
  /** Wilson's, of 95 %, as if the questions were independent. */
  readonly interval: Interval | null;
}

const Z = 1.959963984540054;

/** Ten bins of equal width. */
export function calibrationBins(rows: Iterable<ScoredQuestion>): CalibrationBin[] {
  return binsOf(tallyOf(rows));
}

/** The mean distance between what was said and what came, over bins, by how many questions they hold. Null without any. */
export function expectedCalibrationError(rows: Iterable<ScoredQuestion>): number | null {
  return calibrationErrorOf(tallyOf(rows));
}

export function binsOf(tally: Tally): CalibrationBin[] {
  return binSumsOf(tally).map(({ questions, probability, yes }, i) => ({
    from: i / BIN_COUNT,
    to: (i + 1) / BIN_COUNT,
    questions,
    mean_probability: questions === 0 ? null : probability / questions,
    share_yes: questions === 0 ? null : yes / questions,
    interval: questions === 0 ? null : wilson(yes, questions),
  }));
}

export function calibrationErrorOf(tally: Tally): number | null {
  const bins = binSumsOf(tally);
  const questions = bins.reduce((sum, bin) => sum + bin.questions, 0);
  if (questions === 0) return null;
  return bins.reduce((sum, { probability, yes }) => sum + Math.abs(probability - yes), 0) / questions;
}

/** Where a share of `yes` of `count` lies with 95 %: unlike the textbook one never outside 0 and 1, and honest for few. */
export function wilson(yes: number, count: number): Interval {
  const share = yes / count;
  const square = (Z * Z) / count;
  const centre = share + square / 2;
  const reach = Z * Math.sqrt((share * (1 - share)) / count + square / (4 * count));
  return { low: Math.max(0, (centre - reach) / (1 + square)), high: Math.min(1, (centre + reach) / (1 + square)) };
}
