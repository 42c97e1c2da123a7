/** A sum of squares to be minimized. */
export interface LeastSquares {
  readonly parameters: number;
  readonly residuals: number;
  /**
   * Writes the residuals at `at` to `out` and returns the sum of their squares; a number that is not finite means that
   * the sum is undefined at `at`.
   */
  evaluate(at: Float64Array, out: Float64Array): number;
}

const DIFFERENCE_STEP = 1e-5;

/**
 * Writes the derivatives of the residuals with respect to each parameter, one row per parameter, computed by forward
 * differences. Returns false if they do not exist. `residuals` holds the residuals at the point `at`, which is changed
 * and restored.
 */
function differentiate(
  problem: LeastSquares,
  at: Float64Array,
  residuals: Float64Array,
  scratch: Float64Array,
  jacobian: Float64Array,
): boolean {
  const n = problem.residuals;
  for (let j = 0; j < problem.parameters; j++) {
    const kept = at[j] as number;
    // The step leads toward zero, which is away from the edge of the allowed region.
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

/** Writes J'J and J'r for the derivatives J and the residuals r. */
function normalEquations(
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

interface LeastSquaresOptions {
  /** The search stops when a step would lower the sum by less than this share of the sum. */
  readonly tolerance: number;
  readonly maxIterations: number;
}

interface LeastSquaresResult {
  readonly at: Float64Array;
  readonly value: number;
  /**
   * J'J at the point at which the Jacobian was last computed, row by row. This is the curvature, for standard errors.
   */
  readonly curvature: Float64Array;
}

/** A longer step in any parameter leaves the region where the linear approximation of the residuals holds. */
const MAX_STEP_LENGTH = 1.5;
const MAX_TRIALS = 8;

/**
 * Minimizes a sum of squares by Levenberg-Marquardt with forward differences. It takes about one evaluation per
 * parameter and iteration. Few iterations are needed, because J'J is close to the true curvature of a likelihood. The
 * number of iterations bounds the work.
 */
export function minimizeSquares(
  problem: LeastSquares,
  start: Float64Array,
  options: LeastSquaresOptions,
): LeastSquaresResult {
  const k = problem.parameters;
  const n = problem.residuals;
  let at = Float64Array.from(start);
  let residuals = new Float64Array(n);
  let value = problem.evaluate(at, residuals);
  const curvature = new Float64Array(k * k);
  if (k === 0 || !Number.isFinite(value)) return { at, value, curvature };
  const jacobian = new Float64Array(n * k);
  const gradient = new Float64Array(k);
  const damped = new Float64Array(k * k);
  const step = new Float64Array(k);
  let trial = new Float64Array(k);
  let trialResiduals = new Float64Array(n);
  let damping = 1e-3;
  for (let iteration = 0; iteration < options.maxIterations; iteration++) {
    if (!differentiate(problem, at, residuals, trialResiduals, jacobian)) break;
    normalEquations(jacobian, residuals, n, k, curvature, gradient);
    let improved = false;
    let small = false;
    for (let tries = 0; tries < MAX_TRIALS && !improved; tries++) {
      if (!solveDamped(curvature, gradient, damping, damped, step)) {
        damping = Math.max(damping * 10, 1e-6);
        continue;
      }
      const shrink = shrinkage(step);
      let slope = 0;
      for (let i = 0; i < k; i++) {
        trial[i] = (at[i] as number) + shrink * (step[i] as number);
        slope -= (gradient[i] as number) * (step[i] as number) * shrink;
      }
      // The linear approximation predicts a smaller gain than the tolerance: the search is done.
      if (slope < options.tolerance * value) {
        small = true;
        break;
      }
      const tried = problem.evaluate(trial, trialResiduals);
      if (tried < value) {
        small = value - tried < options.tolerance * value;
        // A step that gained about as much as predicted lowers the damping; a step that gained much less raises it.
        damping = value - tried > 0.5 * slope ? damping * 0.1 : damping * 2;
        value = tried;
        [at, trial] = [trial, at];
        [residuals, trialResiduals] = [trialResiduals, residuals];
        improved = true;
      } else {
        damping = Math.max(damping * 8, 1e-3);
      }
    }
    if (!improved || small) break;
  }
  return { at, value, curvature };
}

/**
 * Solves (J'J + damping) step = -J'r; `damped` is scratch space. Returns false if the matrix is not positive definite.
 */
function solveDamped(
  curvature: Float64Array,
  gradient: Float64Array,
  damping: number,
  damped: Float64Array,
  step: Float64Array,
): boolean {
  const k = step.length;
  damped.set(curvature);
  let largest = 0;
  for (let i = 0; i < k; i++) largest = Math.max(largest, curvature[i * k + i] as number);
  // The floor limits steps in directions without curvature, such as those of common factors of the two polynomials.
  for (let i = 0; i < k; i++) {
    const diagonal = curvature[i * k + i] as number;
    damped[i * k + i] = diagonal * (1 + damping) + largest * 1e-9 + 1e-300;
  }
  for (let i = 0; i < k; i++) step[i] = -(gradient[i] as number);
  return solvePositiveDefinite(damped, step, k);
}

/** Returns the factor on a step that keeps the change of every parameter within the longest step. */
function shrinkage(step: Float64Array): number {
  let longest = 0;
  for (let i = 0; i < step.length; i++) longest = Math.max(longest, Math.abs(step[i] as number));
  return longest > MAX_STEP_LENGTH ? MAX_STEP_LENGTH / longest : 1;
}

/**
 * Solves A x = b for a positive definite A (k by k, row by row). Overwrites A with its Cholesky factor and b with x.
 * Returns false if A is not positive definite; the contents of A and b are then undefined.
 */
export function solvePositiveDefinite(a: Float64Array, b: Float64Array, k: number): boolean {
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * k + j] as number;
      for (let l = 0; l < j; l++) sum -= (a[i * k + l] as number) * (a[j * k + l] as number);
      if (i === j) {
        if (!(sum > 0)) return false;
        a[i * k + i] = Math.sqrt(sum);
      } else {
        a[i * k + j] = sum / (a[j * k + j] as number);
      }
    }
  }
  for (let i = 0; i < k; i++) {
    let sum = b[i] as number;
    for (let l = 0; l < i; l++) sum -= (a[i * k + l] as number) * (b[l] as number);
    b[i] = sum / (a[i * k + i] as number);
  }
  for (let i = k - 1; i >= 0; i--) {
    let sum = b[i] as number;
    for (let l = i + 1; l < k; l++) sum -= (a[l * k + i] as number) * (b[l] as number);
    b[i] = sum / (a[i * k + i] as number);
  }
  return true;
}
