import { descend, resetInverse, updateInverse } from './inverse-hessian.ts';

/** A function to be minimised: returns its value at `point` and writes its gradient; Infinity where it has none. */
export type SmoothFunction = (point: Float64Array, gradient: Float64Array) => number;

export interface MinimiseOptions {
  /** The natural size of a step in each coordinate: the first inverse Hessian is the diagonal of its squares. */
  readonly steps: Float64Array;
  readonly maxIterations: number;
  /** Stop once three iterations together gain less than this. */
  readonly tolerance: number;
}

export interface Minimum {
  readonly point: Float64Array;
  readonly value: number;
}

/**
 * Quasi-Newton minimisation (BFGS on the inverse Hessian, backtracking line search). Work is bounded by the number of
 * iterations, never by time, so that the result does not depend on how busy the machine is.
 */
export function minimiseSmooth(f: SmoothFunction, start: Float64Array, options: MinimiseOptions): Minimum {
  const size = start.length;
  const gradient = new Float64Array(size);
  let point = Float64Array.from(start);
  let value = f(point, gradient);
  if (!Number.isFinite(value)) return { point, value: Number.POSITIVE_INFINITY };

  const inverse = new Float64Array(size * size);
  resetInverse(inverse, options.steps);
  const direction = new Float64Array(size);
  const change = new Float64Array(size);
  const nextGradient = new Float64Array(size);
  const product = new Float64Array(size);
  let nextPoint = new Float64Array(size);
  let isFresh = true;
  let gains = 0;

  for (let iteration = 0; iteration < options.maxIterations; iteration++) {
    const slope = descend(inverse, gradient, direction);
    let step = isFresh ? firstStep(direction, options.steps) : 1;
    let nextValue = Number.POSITIVE_INFINITY;
    if (slope < 0) {
      for (let tries = 0; tries < 12; tries++) {
        for (let i = 0; i < size; i++) {
          change[i] = step * (direction[i] as number);
          nextPoint[i] = (point[i] as number) + (change[i] as number);
        }
        nextValue = f(nextPoint, nextGradient);
        if (nextValue <= value + 1e-4 * step * slope) break;
        // The parabola through the two values and the slope tells how far to step back; an infinite value does not.
        const bend = 2 * (nextValue - value - step * slope);
        step *= Number.isFinite(nextValue) ? Math.min(0.5, Math.max(0.1, (-step * slope) / bend)) : 0.3;
        nextValue = Number.POSITIVE_INFINITY;
      }
    }
    if (nextValue >= value) {
      if (isFresh) break;
      // The curvature collected so far misleads: forget it and try once along the gradient.
      resetInverse(inverse, options.steps);
      isFresh = true;
      continue;
    }
    updateInverse(inverse, change, gradient, nextGradient, product, isFresh);
    isFresh = false;
    const gain = value - nextValue;
    [point, nextPoint] = [nextPoint, point];
    gradient.set(nextGradient);
    value = nextValue;
    gains = gain < options.tolerance ? gains + 1 : 0;
    if (gains >= 3) break;
  }
  return { point, value };
}

/** Without known curvature no coordinate moves by more than its natural step. */
function firstStep(direction: Float64Array, steps: Float64Array): number {
  let most = 0;
  for (let i = 0; i < steps.length; i++) most = Math.max(most, Math.abs(direction[i] as number) / (steps[i] as number));
  return most > 1 ? 1 / most : 1;
}
