import { exp, log, pow } from '../numerics/elementary.ts';

/**
 * Returns the probability that the power of a harmonic exceeds that of its neighbors by at least this ratio in a series
 * without a season.
 *
 * @param ratio the power of the harmonic divided by the mean power of its neighbors
 * @param isNyquist whether the harmonic is the highest frequency, which has a cosine but no sine: one degree of freedom
 * instead of two
 */
export function harmonicPValue(ratio: number, neighbors: number, isNyquist: boolean): number {
  return isNyquist ? fDistributionTail(ratio, 2 * neighbors) : pow(1 + ratio / neighbors, -neighbors);
}

/** Returns the upper tail of F(1, freedom), by the normal approximation to Student's t. */
function fDistributionTail(ratio: number, freedom: number): number {
  const z = (Math.sqrt(ratio) * (1 - 1 / (4 * freedom))) / Math.sqrt(1 + ratio / (2 * freedom));
  return Math.min(1, 2 * normalTail(z));
}

/**
 * Returns the upper tail of the normal distribution by Zelen and Severo's approximation, with an error of at most 1e-5.
 */
function normalTail(z: number): number {
  const t = 1 / (1 + 0.33267 * z);
  const density = exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return density * t * (0.4361836 + t * (-0.1201676 + t * 0.937298));
}

/**
 * Combines p-values by Fisher's method. Returns minus the decimal logarithm of the combined p-value. P-values that were
 * computed against the same neighbors are correlated, so the sum of their logarithms varies more. Brown's method
 * corrects the variance of the sum.
 *
 * @param covariances sum of the covariances of the logarithms over all pairs
 */
export function combinePValues(pValues: readonly number[], covariances: number): number {
  const count = pValues.length;
  if (count === 0) return 0;
  const sum = pValues.reduce((total, pValue) => total - log(Math.max(pValue, 1e-30)), 0);
  const scale = 1 + (2 * covariances) / count;
  return -logGammaTail(sum / scale, Math.max(1, count / scale)) / Math.LN10;
}

/** Returns the logarithm of the upper tail of the gamma distribution, interpolated linearly between integer shapes. */
function logGammaTail(x: number, shape: number): number {
  const whole = Math.floor(shape);
  const rest = shape - whole;
  return (1 - rest) * logErlangTail(x, whole) + (rest > 0 ? rest * logErlangTail(x, whole + 1) : 0);
}

/** Returns the logarithm of the probability that `count` exponential draws together exceed `x`. */
function logErlangTail(x: number, count: number): number {
  let term = 1;
  let total = 1;
  for (let i = 1; i < count; i++) {
    term *= x / i;
    total += term;
  }
  return log(total) - x;
}
