import { brierScore, logScore } from './question-scores.ts';

/** A question whose answer is known. */
export interface ScoredQuestion {
  readonly probability: number;
  readonly happened: boolean;
  /** Questions of one source (a forecast, a cut-off) err together: they are drawn together. Left out: alone. */
  readonly cluster?: string | undefined;
}

export const BIN_COUNT = 10;

/** Sums over questions, from which every figure follows. Two tallies added are the tally of both. */
export type Tally = Float64Array;

const [QUESTIONS, YES, LOG, BRIER, BINS] = [0, 1, 2, 3, 4];
const BIN_WIDTH = 3;

export function tallyOf(questions: Iterable<ScoredQuestion>): Tally {
  const tally = new Float64Array(BINS + BIN_WIDTH * BIN_COUNT);
  for (const { probability, happened } of questions) {
    const answer = happened ? 1 : 0;
    const bin = BINS + BIN_WIDTH * binOf(probability);
    add(tally, QUESTIONS, 1);
    add(tally, YES, answer);
    add(tally, LOG, logScore(probability, happened));
    add(tally, BRIER, brierScore(probability, happened));
    add(tally, bin, 1);
    add(tally, bin + 1, probability);
    add(tally, bin + 2, answer);
  }
  return tally;
}

export interface Sums {
  readonly questions: number;
  readonly yes: number;
  readonly log: number;
  readonly brier: number;
}

export function sumsOf(tally: Tally): Sums {
  const [questions, yes, log, brier] = tally as unknown as [number, number, number, number];
  return { questions, yes, log, brier };
}

export interface BinSums {
  readonly questions: number;
  readonly probability: number;
  readonly yes: number;
}

export function binSumsOf(tally: Tally): BinSums[] {
  return Array.from({ length: BIN_COUNT }, (_, i) => {
    const at = BINS + BIN_WIDTH * i;
    const [questions, probability, yes] = tally.subarray(at, at + BIN_WIDTH) as unknown as [number, number, number];
    return { questions, probability, yes };
  });
}

/** Tenths, each with its lower edge; the last with its upper one too. */
function binOf(probability: number): number {
  return Math.min(BIN_COUNT - 1, Math.floor(probability * BIN_COUNT));
}

function add(tally: Tally, at: number, amount: number): void {
  tally[at] = (tally[at] as number) + amount;
}
