/** A sum of squares to be made small. */
export interface LeastSquares {
  readonly parameters: number;
  readonly residuals: number;
  /** Writes the residuals at `at` to `out` and returns the sum of their squares; not finite where undefined. */
  evaluate(at: Float64Array, out: Float64Array): number;
}

const DIFFERENCE_STEP = 1e-5;

/**
 * Writes the derivatives of the residuals by each parameter, by forward differences, one row per parameter; false where
 * they do not exist. `residuals` are those at `at`, which is moved and put back.
 */
export function differentiate(
  problem: LeastSquares,
  at: Float64Array,
  residuals: Float64Array,
  scratch: Float64Array,
  jacobian: Float64Array,
): boolean {
  const n = problem.residuals;
  for (let j = 0; j < problem.parameters; j++) {
    const kept = at[j] as number;
    // Towards zero: away from the edge of what is allowed.
    const h = kept > 0 ? -DIFFERENCE_STEP : DIFFERENCE_STEP;
    at[j] = kept + h;
    const value = problem.evaluate(at, scratch);
    at[j] = kept;
    if (!Number.isFinite(value)) return false;
    const offset = j * n;
    for (let t = 0; t < n; t++) jacobian[offset + t] = ((scratch[t] as number) - (residuals[t] as number)) / h;
  }
  return true;
}

/** Writes J'J and J'r, from the derivatives J and the residuals r. */
export function normalEquations(
  jacobian: Float64Array,
  residuals: Float64Array,
  n: number,
  k: number,
  curvature: Float64Array,
  gradient: Float64Array,
): void {
  for (let i = 0; i < k; i++) {
    const row = i * n;
    let g = 0;
    for (let t = 0; t < n; t++) g += (jacobian[row + t] as number) * (residuals[t] as number);
    gradient[i] = g;
    for (let j = 0; j <= i; j++) {
      const other = j * n;
      let sum = 0;
      for (let t = 0; t < n; t++) sum += (jacobian[row + t] as number) * (jacobian[other + t] as number);
      curvature[i * k + j] = sum;
      curvature[j * k + i] = sum;
    }
  }
}
