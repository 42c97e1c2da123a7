import { solvePositiveDefinite } from '../../numerics/positive-definite.ts';

/**
 * Covariance of estimated free parameters from the curvature of the sum of squares. A weak prior (each free number is
 * of order one) keeps a parameter the data say nothing about from spoiling the forecast's variance.
 */
export function parameterCovariance(curvature: Float64Array, k: number, variance: number): Float64Array | undefined {
  if (k === 0 || !(variance > 0)) return undefined;
  const covariance = new Float64Array(k * k);
  const column = new Float64Array(k);
  for (let j = 0; j < k; j++) {
    const a = curvature.map((c) => c / variance);
    for (let i = 0; i < k; i++) a[i * k + i] = (a[i * k + i] as number) + 1;
    column.fill(0);
    column[j] = 1;
    if (!solvePositiveDefinite(a, column, k)) return undefined;
    for (let i = 0; i < k; i++) covariance[i * k + j] = column[i] as number;
  }
  return covariance;
}
