import { log } from '../../numerics/elementary.ts';
import type { StatePath } from './recursion.ts';

/** Receives the by-products of `minusTwoLogLikelihood`. */
interface LikelihoodParts {
  /** The derivative with respect to each fitted value. */
  readonly byFitted: Float64Array;
  /** The sum of squares whose logarithm was taken. */
  squares: number;
}

/**
 * Returns minus twice the log likelihood of a filtered path with the error variance at its optimum, up to a constant
 * that is the same for all forms on the same data. Returns infinity outside the domain.
 *
 * @param extra squares to add to those of the residuals: the squares of the prior, and a floor that keeps a perfect fit
 * finite
 */
export function minusTwoLogLikelihood(
  path: StatePath,
  isRelative: boolean,
  extra: number,
  parts: LikelihoodParts,
): number {
  return isRelative ? ofRelativeErrors(path, extra, parts) : ofAdditiveErrors(path, extra, parts);
}

function ofAdditiveErrors({ values, residual }: StatePath, extra: number, parts: LikelihoodParts): number {
  let squares = extra;
  let observed = 0;
  for (let t = 0; t < values.length; t++) {
    const y = values[t] as number;
    const r = residual[t] as number;
    squares += r * r;
    if (!Number.isNaN(y)) observed++;
  }
  const factor = (-2 * observed) / squares;
  for (let t = 0; t < values.length; t++) parts.byFitted[t] = factor * (residual[t] as number);
  parts.squares = squares;
  return observed * log(squares);
}

function ofRelativeErrors({ values, fitted, residual }: StatePath, extra: number, parts: LikelihoodParts): number {
  let squares = extra;
  let observed = 0;
  let logs = 0;
  // One logarithm for many factors, taken before their product can leave the range of a double.
  let product = 1;
  for (let t = 0; t < values.length; t++) {
    const y = values[t] as number;
    if (Number.isNaN(y)) continue;
    const f = fitted[t] as number;
    if (!(f > 1e-9)) return Number.POSITIVE_INFINITY;
    const e = (residual[t] as number) / f;
    squares += e * e;
    observed++;
    product *= f;
    if (product < 1e-200 || product > 1e200) {
      logs += log(product);
      product = 1;
    }
  }
  logs += log(product);
  const factor = (-2 * observed) / squares;
  for (let t = 0; t < values.length; t++) {
    const y = values[t] as number;
    const f = fitted[t] as number;
    parts.byFitted[t] = !Number.isNaN(y) ? (factor * (residual[t] as number) * y) / (f * f * f) + 2 / f : 0;
  }
  parts.squares = squares;
  return observed * log(squares) + 2 * logs;
}
