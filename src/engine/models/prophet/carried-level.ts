import { pow } from '../../numerics/elementary.ts';

/** The distance of a series from its trend and season, and how fast it changes. */
export interface CarriedLevel {
  /** The smoothed distance of the last rows from trend and season; forecasts keep it. */
  readonly level: number;
  /** The share of each one-step error that persists: 1 for a random walk, near 0 for plain noise. */
  readonly share: number;
  /** Standard deviation of the one-step errors. */
  readonly errorDeviation: number;
}

const SHARES: readonly number[] = Array.from({ length: 20 }, (_, i) => (i + 1) / 20);

/**
 * Exponent of the prior on the share. The trend was fitted to the same rows, so the distance from it returns to zero
 * sooner than it will in the future: the residuals understate the share, the more so the fewer there are.
 */
const PRIOR_EXPONENT = 3;

/**
 * Smooths the residuals exponentially. The share is its mean under the likelihood of the one-step errors, which is
 * hardly more than the prior for few rows and the best share for many.
 *
 * @param weights number of seasonal weights that the rows had to determine besides the trend
 */
export function estimateCarriedLevel(residuals: Float64Array, weights: number): CarriedLevel {
  const squares = SHARES.map((share) => smooth(residuals, share).squares);
  const least = Math.max(Math.min(...squares), 1e-300);
  let total = 0;
  let weighted = 0;
  SHARES.forEach((share, i) => {
    const likelihood = pow(Math.max(squares[i] as number, least) / least, -residuals.length / 2);
    const weight = likelihood * pow(share, PRIOR_EXPONENT);
    total += weight;
    weighted += weight * share;
  });
  const share = weighted / total;
  const { level, squares: sum } = smooth(residuals, share);
  // Level and growth of the trend and the share itself also use up degrees of freedom. The prior holds the weights
  // back, so that they never use up more than half.
  const free = Math.max(residuals.length - 3 - weights, residuals.length / 2);
  return { level, share, errorDeviation: Math.sqrt(sum / free) };
}

/** Returns the level after the last residual, and the sum of the squared errors. The level starts on the trend. */
function smooth(residuals: Float64Array, share: number): { level: number; squares: number } {
  let level = 0;
  let squares = 0;
  for (const residual of residuals) {
    const error = residual - level;
    squares += error * error;
    level += share * error;
  }
  return { level, squares };
}
