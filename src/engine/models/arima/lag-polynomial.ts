import { pow } from '../../numerics/elementary.ts';
import type { Orders } from './orders.ts';

/**
 * The two sides of phi(B) w = theta(B) e after multiplying seasonal and plain factors: `ar[i]` is the weight of
 * w(t-1-i), `ma[i]` that of e(t-1-i). Because most weights of a product with a seasonal factor are zero, `arLags` and
 * `maLags` list the lags whose weights can differ from zero.
 */
export interface LagPolynomials {
  readonly ar: Float64Array;
  readonly ma: Float64Array;
  readonly arLags: Int32Array;
  readonly maLags: Int32Array;
}

export function createLagPolynomials(orders: Orders): LagPolynomials {
  return {
    ar: new Float64Array(orders.p + orders.P * orders.season),
    ma: new Float64Array(orders.q + orders.Q * orders.season),
    arLags: productLags(orders.p, orders.P, orders.season),
    maLags: productLags(orders.q, orders.Q, orders.season),
  };
}

function productLags(plain: number, seasonal: number, season: number): Int32Array {
  const lags = new Set<number>();
  for (let j = 0; j <= seasonal; j++) for (let i = 0; i <= plain; i++) lags.add(j * season + i);
  lags.delete(0);
  return Int32Array.from(lags).sort();
}

const MAX_FREE = 60;

/**
 * Turns free numbers into the weights of a stationary or invertible polynomial: each number becomes a partial
 * autocorrelation between -1 and 1, and the Durbin-Levinson recursion turns those into weights. Appending a zero leaves
 * the polynomial unchanged, so a larger model can start from the result of a smaller one.
 */
function stableWeights(free: Float64Array, offset: number, count: number, weights: Float64Array): void {
  const before = scratch;
  for (let j = 0; j < count; j++) {
    const u = Math.max(-MAX_FREE, Math.min(MAX_FREE, free[offset + j] as number));
    const partial = u / Math.sqrt(1 + u * u);
    weights[j] = partial;
    for (let i = 0; i < j; i++) weights[i] = (before[i] as number) - partial * (before[j - 1 - i] as number);
    for (let i = 0; i <= j; i++) before[i] = weights[i] as number;
  }
}

const scratch = new Float64Array(16);
const plainWeights = new Float64Array(16);
const seasonalWeights = new Float64Array(16);

/** Writes the polynomials that the free parameters, ordered p, q, P, Q, define. */
export function expandPolynomials(orders: Orders, free: Float64Array, into: LagPolynomials): void {
  stableWeights(free, 0, orders.p, plainWeights);
  stableWeights(free, orders.p + orders.q, orders.P, seasonalWeights);
  multiply(orders.p, orders.P, orders.season, into.ar);
  stableWeights(free, orders.p, orders.q, plainWeights);
  stableWeights(free, orders.p + orders.q + orders.P, orders.Q, seasonalWeights);
  multiply(orders.q, orders.Q, orders.season, into.ma);
  for (let i = 0; i < into.ma.length; i++) into.ma[i] = -(into.ma[i] as number);
}

/** 1 - out(B) = (1 - plain(B)) (1 - seasonal(B^season)). */
function multiply(plain: number, seasonal: number, season: number, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < plain; i++) out[i] = plainWeights[i] as number;
  for (let j = 0; j < seasonal; j++) {
    const weight = seasonalWeights[j] as number;
    const lag = (j + 1) * season;
    out[lag - 1] = (out[lag - 1] as number) + weight;
    for (let i = 0; i < plain; i++) {
      out[lag + i] = (out[lag + i] as number) - weight * (plainWeights[i] as number);
    }
  }
}

/**
 * Returns whether the roots of all four factors lie far enough from the unit circle. A root on the unit circle means
 * too many or too few differences, and the forecasts can be extreme.
 */
export function hasSafeRoots(orders: Orders, free: Float64Array): boolean {
  const plainMargin = ROOT_MARGIN;
  // A root z of a seasonal factor is a root z^(1/season) of the product. The margin stops growing at a season of 12:
  // beyond that it would exclude ordinary seasonal models.
  const seasonalMargin = pow(ROOT_MARGIN, Math.min(orders.season, 12));
  const { p, q, P, Q } = orders;
  return (
    isSafeFactor(free, 0, p, plainMargin) &&
    isSafeFactor(free, p, q, plainMargin) &&
    isSafeFactor(free, p + q, P, seasonalMargin) &&
    isSafeFactor(free, p + q + P, Q, seasonalMargin)
  );
}

const ROOT_MARGIN = 1.01;

/**
 * Checks one factor. All its roots lie outside the circle of radius `margin` if and only if the polynomial in margin *
 * z is stable.
 */
function isSafeFactor(free: Float64Array, offset: number, count: number, margin: number): boolean {
  if (count === 0) return true;
  stableWeights(free, offset, count, plainWeights);
  const weights = plainWeights.slice(0, count);
  let power = 1;
  for (let i = 0; i < count; i++) {
    power *= margin;
    weights[i] = (weights[i] as number) * power;
  }
  const lower = new Float64Array(count);
  for (let j = count - 1; j >= 0; j--) {
    const partial = weights[j] as number;
    if (!(Math.abs(partial) < 1)) return false;
    for (let i = 0; i < j; i++) {
      lower[i] = ((weights[i] as number) + partial * (weights[j - 1 - i] as number)) / (1 - partial * partial);
    }
    weights.set(lower.subarray(0, j));
  }
  return true;
}
