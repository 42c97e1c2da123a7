import { brierScore, logScore } from './question-scores.ts';

/** A question whose outcome is known. */
export interface ScoredQuestion {
  readonly probability: number;
  readonly happened: boolean;
  /**
   * Questions of one cluster, such as a forecast or a cutoff, have correlated errors and are drawn together. A question
   * without a cluster is drawn alone.
   */
  readonly cluster?: string | undefined;
}

export const BIN_COUNT = 10;

/**
 * Sums over questions, from which every figure can be computed. The sum of two tallies is the tally of all their
 * questions.
 */
export type Tally = Float64Array;

const [QUESTIONS, YES, LOG, BRIER, BINS] = [0, 1, 2, 3, 4];
const BIN_WIDTH = 3;

export function tallyQuestions(questions: Iterable<ScoredQuestion>): Tally {
  const tally = new Float64Array(BINS + BIN_WIDTH * BIN_COUNT);
  for (const { probability, happened } of questions) {
    const outcome = happened ? 1 : 0;
    const bin = BINS + BIN_WIDTH * findBin(probability);
    add(tally, QUESTIONS, 1);
    add(tally, YES, outcome);
    add(tally, LOG, logScore(probability, happened));
    add(tally, BRIER, brierScore(probability, happened));
    add(tally, bin, 1);
    add(tally, bin + 1, probability);
    add(tally, bin + 2, outcome);
  }
  return tally;
}

interface Sums {
  readonly questions: number;
  readonly yes: number;
  readonly log: number;
  readonly brier: number;
}

export function readSums(tally: Tally): Sums {
  const [questions, yes, log, brier] = tally as unknown as [number, number, number, number];
  return { questions, yes, log, brier };
}

interface BinSums {
  readonly questions: number;
  readonly probability: number;
  readonly yes: number;
}

export function readBinSums(tally: Tally): BinSums[] {
  return Array.from({ length: BIN_COUNT }, (_, i) => {
    const start = BINS + BIN_WIDTH * i;
    const [questions, probability, yes] = tally.subarray(start, start + BIN_WIDTH) as unknown as [
      number,
      number,
      number,
    ];
    return { questions, probability, yes };
  });
}

/** Bins are tenths that include their lower edge; the last bin also includes its upper edge. */
function findBin(probability: number): number {
  return Math.min(BIN_COUNT - 1, Math.floor(probability * BIN_COUNT));
}

function add(tally: Tally, index: number, amount: number): void {
  tally[index] = (tally[index] as number) + amount;
}
