import { solvePositiveDefinite } from './positive-definite.ts';

/** A sum of squares to be made small. */
export interface LeastSquares {
  readonly parameters: number;
  readonly residuals: number;
  /** Writes the residuals at `at` to `out` and returns the sum of their squares; not finite where undefined. */
  evaluate(at: Float64Array, out: Float64Array): number;
}

export interface LeastSquaresOptions {
  /** Stop when a step lowers the sum by less than this share of it. */
  readonly tolerance: number;
  readonly maxIterations: number;
}

export interface LeastSquaresResult {
  readonly at: Float64Array;
  readonly value: number;
  /** J'J at the last point the Jacobian was taken, row by row: the curvature, for standard errors. */
  readonly curvature: Float64Array;
}

const DIFFERENCE_STEP = 1e-5;
/** A longer step in any one parameter leaves the region where the linear picture of the residuals holds. */
const LONGEST_STEP = 1.5;
const MAX_TRIALS = 8;

/**
 * Levenberg-Marquardt with forward differences. It needs about one evaluation per parameter and iteration and few
 * iterations, because J'J is close to the true curvature of a likelihood; work is bounded by the iteration count.
 */
export function minimiseSquares(
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
      damped.set(curvature);
      let largest = 0;
      for (let i = 0; i < k; i++) largest = Math.max(largest, curvature[i * k + i] as number);
      // The floor keeps directions without curvature (common factors of the two polynomials) in bounds.
      for (let i = 0; i < k; i++) {
        const diagonal = curvature[i * k + i] as number;
        damped[i * k + i] = diagonal * (1 + damping) + largest * 1e-9 + 1e-300;
      }
      for (let i = 0; i < k; i++) step[i] = -(gradient[i] as number);
      if (!solvePositiveDefinite(damped, step, k)) {
        damping = Math.max(damping * 10, 1e-6);
        continue;
      }
      let longest = 0;
      for (let i = 0; i < k; i++) longest = Math.max(longest, Math.abs(step[i] as number));
      const shrink = longest > LONGEST_STEP ? LONGEST_STEP / longest : 1;
      let slope = 0;
      for (let i = 0; i < k; i++) {
        trial[i] = (at[i] as number) + shrink * (step[i] as number);
        slope -= (gradient[i] as number) * (step[i] as number) * shrink;
      }
      // The linear picture promises less than is asked for: nothing is left to gain.
      if (slope < options.tolerance * value) {
        small = true;
        break;
      }
      const tried = problem.evaluate(trial, trialResiduals);
      if (tried < value) {
        small = value - tried < options.tolerance * value;
        // A step that kept its promise earns trust; one that kept little of it is followed by a shorter one.
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
