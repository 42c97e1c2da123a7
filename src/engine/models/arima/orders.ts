/** Orders of a seasonal ARIMA model, (p,d,q)(P,D,Q) with a season of `season` periods. */
export interface Orders {
  readonly p: number;
  readonly d: number;
  readonly q: number;
  readonly P: number;
  readonly D: number;
  readonly Q: number;
  readonly season: number;
  /** Whether the differenced series has a mean: the mean of the series (d + D = 0) or its drift (d + D = 1). */
  readonly constant: boolean;
}

/** Counts the coefficients of the polynomials, without mean and variance. */
export function countCoefficients(orders: Orders): number {
  return orders.p + orders.q + orders.P + orders.Q;
}

/** Counts the periods that are lost to differencing. */
export function countPeriodsLost(orders: Orders): number {
  return orders.d + orders.D * orders.season;
}

/** Returns whether two models agree in all orders that the search varies. */
export function areSameOrders(a: Orders, b: Orders): boolean {
  return a.p === b.p && a.q === b.q && a.P === b.P && a.Q === b.Q && a.constant === b.constant;
}

/** Returns the differences x(t) - x(t - lag). */
export function difference(x: Float64Array, lag: number): Float64Array {
  const out = new Float64Array(Math.max(0, x.length - lag));
  for (let t = 0; t < out.length; t++) out[t] = (x[t + lag] as number) - (x[t] as number);
  return out;
}

/** Takes differences over a season `D` times, then differences over one period `d` times. */
export function differenceAll(x: Float64Array, d: number, D: number, season: number): Float64Array {
  let out = x;
  for (let i = 0; i < D; i++) out = difference(out, season);
  for (let i = 0; i < d; i++) out = difference(out, 1);
  return out;
}

/**
 * Returns the weights of past values that undo differencing: (1-B)^d (1-B^season)^D = 1 - sum of weight[i] B^(i+1), so
 * that y(t) = w(t) + sum of weight[i] y(t-1-i).
 */
export function integrationWeights(d: number, D: number, season: number): Float64Array {
  let polynomial = Float64Array.of(1);
  for (let i = 0; i < d; i++) polynomial = multiplyByDifference(polynomial, 1);
  for (let i = 0; i < D; i++) polynomial = multiplyByDifference(polynomial, season);
  return polynomial.subarray(1).map((c) => -c);
}

function multiplyByDifference(polynomial: Float64Array, lag: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(polynomial.length + lag);
  out.set(polynomial);
  for (let i = 0; i < polynomial.length; i++) out[i + lag] = (out[i + lag] as number) - (polynomial[i] as number);
  return out;
}

/** Returns whether all values are equal up to rounding, by the rule of R's all.equal. */
export function isConstant(x: Float64Array): boolean {
  const first = x[0] ?? 0;
  let distance = 0;
  for (const value of x) distance += Math.abs(value - first);
  return distance <= 1.5e-8 * Math.abs(first) * x.length || distance === 0;
}
