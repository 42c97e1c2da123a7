/** Mean absolute errors of a fitted model's forecasts from its own past, by steps ahead. */
export interface PastErrors {
  readonly sum: Float64Array;
  readonly count: Float64Array;
}

export function createPastErrors(steps: number): PastErrors {
  return { sum: new Float64Array(steps), count: new Float64Array(steps) };
}

/** Origins and steps to look at: enough for a mean, and a bound on the work. */
export const MAX_ORIGINS = 1000;
export const MAX_STEPS = 100;

/**
 * By how much the variance of later steps must be widened: how much faster errors grew over the past than the model says
 * they would. Formulas for the spread assume that surprises are independent; where they are not, only past errors tell.
 * Absolute errors, not squares, so that one accident does not decide; errors of overlapping steps count as
 * count / step independent ones, and one more says "as the model has it". Never below 1: past errors are in-sample.
 *
 * @param theory deviation of each step relative to the first
 * @param cap the largest factor, since few independent errors are behind the later steps
 */
export function spreadGrowth(past: PastErrors, theory: Float64Array, cap: number): Float64Array {
  const factors = new Float64Array(theory.length).fill(1);
  const first = (past.sum[0] as number) / (past.count[0] as number);
  let factor = 1;
  for (let h = 0; h < theory.length; h++) {
    const count = past.count[h] ?? 0;
    const expected = theory[h] as number;
    if (count >= 3 && first > 0 && expected > 0) {
      const ratio = (past.sum[h] as number) / count / first / expected;
      const independent = count / (h + 1);
      factor = Math.exp((2 * Math.log(Math.max(1e-3, ratio)) * independent) / (independent + 1));
    }
    factors[h] = Math.min(cap, Math.max(1, factor));
  }
  return factors;
}
