import { differentiate, type LeastSquares, normalEquations } from './least-squares.ts';
import { solvePositiveDefinite } from './positive-definite.ts';

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

/** Solves (J'J + damping) step = -J'r; `damped` is scratch. False where the matrix is not positive definite. */
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
  // The floor keeps directions without curvature (common factors of the two polynomials) in bounds.
  for (let i = 0; i < k; i++) {
    const diagonal = curvature[i * k + i] as number;
    damped[i * k + i] = diagonal * (1 + damping) + largest * 1e-9 + 1e-300;
  }
  for (let i = 0; i < k; i++) step[i] = -(gradient[i] as number);
  return solvePositiveDefinite(damped, step, k);
}

/** What a step must be multiplied by so that no parameter moves too far. */
function shrinkage(step: Float64Array): number {
  let longest = 0;
  for (let i = 0; i < step.length; i++) longest = Math.max(longest, Math.abs(step[i] as number));
  return longest > LONGEST_STEP ? LONGEST_STEP / longest : 1;
}
