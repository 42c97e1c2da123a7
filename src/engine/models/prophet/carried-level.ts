import { pow } from '../../numerics/elementary.ts';

/** The current distance of a series from its trend and season, and how fast that distance changes. */
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
 * Exponent of the prior on the share. The trend was fitted to the same rows, so past distances from it return to zero
 * sooner than future ones will. The residuals therefore understate the share, especially if there are few of them.
 */
const PRIOR_EXPONENT = 3;

/**
 * Smooths the residuals exponentially. The share is the posterior mean given the one-step errors: close to the prior if
 * there are few rows, and close to the best share if there are many.
 *
 * @param weights number of seasonal weights that were fitted to the same rows
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
  // The level and the growth of the trend use up degrees of freedom, and so does the share. The prior shrinks the
  // weights, so all of them together are assumed to use up at most half.
  const free = Math.max(residuals.length - 3 - weights, residuals.length / 2);
  return { level, share, errorDeviation: Math.sqrt(sum / free) };
}

/** Returns the level after the last residual, and the sum of the squared one-step errors. The level starts at 0. */
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
