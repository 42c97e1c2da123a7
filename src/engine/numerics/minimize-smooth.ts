/**
 * A function to be minimized. Returns its value at `point`, or infinity outside its domain, and writes its gradient.
 */
export type SmoothFunction = (point: Float64Array, gradient: Float64Array) => number;

interface MinimizeOptions {
  /**
   * The natural size of a step in each coordinate. The initial inverse Hessian is a diagonal matrix of the squared
   * steps.
   */
  readonly steps: Float64Array;
  readonly maxIterations: number;
  /** The search stops after three consecutive iterations that each gain less than this. */
  readonly tolerance: number;
}

interface Minimum {
  readonly point: Float64Array;
  readonly value: number;
}

/**
 * Minimizes a function by quasi-Newton steps (BFGS on the inverse Hessian, backtracking line search). The work is
 * limited by the number of iterations and not by time, so that the result does not depend on the load of the machine.
 */
export function minimizeSmooth(f: SmoothFunction, start: Float64Array, options: MinimizeOptions): Minimum {
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
        // The parabola with the two values and the slope determines how far to step back, unless a value is infinite.
        const bend = 2 * (nextValue - value - step * slope);
        step *= Number.isFinite(nextValue) ? Math.min(0.5, Math.max(0.1, (-step * slope) / bend)) : 0.3;
        nextValue = Number.POSITIVE_INFINITY;
      }
    }
    if (nextValue >= value) {
      if (isFresh) break;
      // The curvature estimated so far is misleading, so discard it and try once along the gradient.
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

/**
 * Returns the length of the first step. Since no curvature is known yet, no coordinate moves by more than its natural
 * step.
 */
function firstStep(direction: Float64Array, steps: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < steps.length; i++)
    largest = Math.max(largest, Math.abs(direction[i] as number) / (steps[i] as number));
  return largest > 1 ? 1 / largest : 1;
}

/** Resets the inverse Hessian to the diagonal of the squared natural steps. */
function resetInverse(inverse: Float64Array, steps: Float64Array): void {
  inverse.fill(0);
  for (let i = 0; i < steps.length; i++) inverse[i * steps.length + i] = (steps[i] as number) ** 2;
}

/**
 * Writes the descent direction, which is minus the inverse Hessian times the gradient, and returns the slope along it.
 */
function descend(inverse: Float64Array, gradient: Float64Array, direction: Float64Array): number {
  const size = gradient.length;
  let slope = 0;
  for (let i = 0; i < size; i++) {
    let sum = 0;
    for (let j = 0, at = i * size; j < size; j++, at++) sum -= (inverse[at] as number) * (gradient[j] as number);
    direction[i] = sum;
    slope += sum * (gradient[i] as number);
  }
  return slope;
}

/**
 * Applies the BFGS update after a step that changed the gradient from `before` to `after`. Does nothing if the
 * curvature along the step is not positive.
 *
 * @param product scratch space, as long as the point
 * @param rescale whether to set the overall scale of the curvature first, which only the first update does
 */
function updateInverse(
  inverse: Float64Array,
  change: Float64Array,
  before: Float64Array,
  after: Float64Array,
  product: Float64Array,
  rescale: boolean,
): void {
  const size = change.length;
  let curvature = 0;
  for (let i = 0; i < size; i++) curvature += (change[i] as number) * ((after[i] as number) - (before[i] as number));
  if (!(curvature > 1e-14)) return;
  let quadratic = multiplyDifference(inverse, before, after, product);
  if (rescale) {
    const factor = curvature / quadratic;
    for (let i = 0; i < inverse.length; i++) inverse[i] = (inverse[i] as number) * factor;
    quadratic = multiplyDifference(inverse, before, after, product);
  }
  const weight = (1 + quadratic / curvature) / curvature;
  for (let i = 0; i < size; i++) {
    const own = change[i] as number;
    const ownProduct = product[i] as number;
    for (let j = 0, at = i * size; j < size; j++, at++) {
      const other = change[j] as number;
      inverse[at] =
        (inverse[at] as number) +
        weight * own * other -
        (ownProduct * other + own * (product[j] as number)) / curvature;
    }
  }
}

/** Writes product = inverse * (after - before), and returns the scalar product of (after - before) and product. */
function multiplyDifference(
  inverse: Float64Array,
  before: Float64Array,
  after: Float64Array,
  product: Float64Array,
): number {
  const size = before.length;
  let quadratic = 0;
  for (let i = 0; i < size; i++) {
    let sum = 0;
    for (let j = 0, at = i * size; j < size; j++, at++)
      sum += (inverse[at] as number) * ((after[j] as number) - (before[j] as number));
    product[i] = sum;
    quadratic += sum * ((after[i] as number) - (before[i] as number));
  }
  return quadratic;
}
