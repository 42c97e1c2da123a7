/** Starts from nothing but the natural size of a step in each coordinate: the diagonal of their squares. */
export function resetInverse(inverse: Float64Array, steps: Float64Array): void {
  inverse.fill(0);
  for (let i = 0; i < steps.length; i++) inverse[i * steps.length + i] = (steps[i] as number) ** 2;
}

/** Writes the direction down: -inverse gradient; returns the slope of the function along it. */
export function descend(inverse: Float64Array, gradient: Float64Array, direction: Float64Array): number {
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
 * The BFGS update after a change of the point that took the gradient from `before` to `after`; skipped where the step
 * shows no positive curvature.
 *
 * @param product scratch, as long as the point
 * @param rescale whether this is the first pair, which also tells the overall size of the curvature
 */
export function updateInverse(
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

/** product = inverse (after - before); returns (after - before)' product. */
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
