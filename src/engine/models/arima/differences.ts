/** x(t) - x(t - lag). */
export function difference(x: Float64Array, lag: number): Float64Array {
  const out = new Float64Array(Math.max(0, x.length - lag));
  for (let t = 0; t < out.length; t++) out[t] = (x[t + lag] as number) - (x[t] as number);
  return out;
}

/** Differences `D` times over the season, then `d` times over one period. */
export function differenceAll(x: Float64Array, d: number, D: number, season: number): Float64Array {
  let out = x;
  for (let i = 0; i < D; i++) out = difference(out, season);
  for (let i = 0; i < d; i++) out = difference(out, 1);
  return out;
}

/**
 * Weights of the past in the undifferenced series: (1-B)^d (1-B^season)^D = 1 - sum of weight[i] B^(i+1). With them,
 * y(t) = w(t) + sum of weight[i] y(t-1-i), exactly.
 */
export function integrationWeights(d: number, D: number, season: number): Float64Array {
  let polynomial = Float64Array.of(1);
  for (let i = 0; i < d; i++) polynomial = timesDifference(polynomial, 1);
  for (let i = 0; i < D; i++) polynomial = timesDifference(polynomial, season);
  return polynomial.subarray(1).map((c) => -c);
}

function timesDifference(polynomial: Float64Array, lag: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(polynomial.length + lag);
  out.set(polynomial);
  for (let i = 0; i < polynomial.length; i++) out[i + lag] = (out[i + lag] as number) - (polynomial[i] as number);
  return out;
}

/** Whether all values are the same but for rounding, as R's all.equal has it. */
export function isConstant(x: Float64Array): boolean {
  const first = x[0] ?? 0;
  let apart = 0;
  for (const value of x) apart += Math.abs(value - first);
  return apart <= 1.5e-8 * Math.abs(first) * x.length || apart === 0;
}
