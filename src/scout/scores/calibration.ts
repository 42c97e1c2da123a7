import { type Interval, wilsonInterval } from '../../engine/index.ts';
import { BIN_COUNT, readBinSums, type Tally } from './tally.ts';

/** Questions with probabilities from `from` up to `to`, and the share that resolved to yes. */
export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  readonly questions: number;
  /** Null in a bin without questions, like the two fields below. */
  readonly mean_probability: number | null;
  readonly share_yes: number | null;
  /** Wilson's 95% interval of `share_yes`, as if the questions were independent. */
  readonly interval: Interval | null;
}

/** Returns ten bins of equal width. */
export function buildBins(tally: Tally): CalibrationBin[] {
  return readBinSums(tally).map(({ questions, probability, yes }, i) => ({
    from: i / BIN_COUNT,
    to: (i + 1) / BIN_COUNT,
    questions,
    mean_probability: questions === 0 ? null : probability / questions,
    share_yes: questions === 0 ? null : yes / questions,
    interval: questions === 0 ? null : wilsonInterval(yes, questions),
  }));
}

/**
 * Returns the mean distance between the mean probability and the share of yes in a bin, weighted by the number of
 * questions in the bins. Returns null if there are no questions.
 */
export function computeCalibrationError(tally: Tally): number | null {
  const bins = readBinSums(tally);
  const questions = bins.reduce((sum, bin) => sum + bin.questions, 0);
  if (questions === 0) return null;
  return bins.reduce((sum, { probability, yes }) => sum + Math.abs(probability - yes), 0) / questions;
}
