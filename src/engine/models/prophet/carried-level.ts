/** Where a series stands beside its trend and season, and how fast that moves. */
export interface CarriedLevel {
  /** What the last rows have beyond trend and season; the future keeps it. */
  readonly level: number;
  /** Share of each surprise that stays: 1 for a random walk, near 0 for plain noise. */
  readonly share: number;
  /** Usual size of the surprise one period ahead. */
  readonly surprise: number;
}

const SHARES: readonly number[] = Array.from({ length: 20 }, (_, i) => (i + 1) / 20);

/**
 * Exponent of the prior on the share. The trend was fitted to the same rows, so what they have beyond it returns to zero
 * sooner than it will in the future: the residuals understate the share, and the more so the fewer they are.
 */
const LEAN_TO_STAY = 3;

/**
 * Exponential smoothing of the residuals. The share is its mean under the likelihood of the one-step errors, which for
 * few rows is hardly more than the prior and for many is the best one.
 *
 * @param weights how many seasonal weights the rows had to determine beside the trend
 */
export function carryLevel(residuals: Float64Array, weights: number): CarriedLevel {
  const squares = SHARES.map((share) => smooth(residuals, share).squares);
  const least = Math.max(Math.min(...squares), 1e-300);
  let total = 0;
  let weighted = 0;
  SHARES.forEach((share, i) => {
    const likelihood = (Math.max(squares[i] as number, least) / least) ** (-residuals.length / 2);
    const weight = likelihood * share ** LEAN_TO_STAY;
    total += weight;
    weighted += weight * share;
  });
  const share = weighted / total;
  const { level, squares: sum } = smooth(residuals, share);
  // Level and growth of the trend and the share itself have used up rows too. The prior holds the weights back, so that
  // they never use up more than half.
  const free = Math.max(residuals.length - 3 - weights, residuals.length / 2);
  return { level, share, surprise: Math.sqrt(sum / free) };
}

/** The level after the last residual, and the squared errors on the way. It starts on the trend. */
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
