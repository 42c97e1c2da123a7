// Sums, products and quotients with about twice the precision of a number. A value is represented by a pair: the rounded
// value and what the rounding lost, which each function leaves in `low`.

/** What rounding lost in the last result of a function below. To return a pair would cost an allocation per call. */
export let low = 0;

export function addExactly(a: number, b: number): number {
  const sum = a + b;
  const added = sum - a;
  low = a - (sum - added) + (b - added);
  return sum;
}

const SPLITTER = 134217729; // 2^27 + 1

export function multiplyExactly(a: number, b: number): number {
  const product = a * b;
  const aHigh = SPLITTER * a - (SPLITTER * a - a);
  const bHigh = SPLITTER * b - (SPLITTER * b - b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  low = aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
  return product;
}

/** Returns (a + aLow) / (b + bLow). */
export function dividePairs(a: number, aLow: number, b: number, bLow: number): number {
  const quotient = a / b;
  const product = multiplyExactly(quotient, b);
  return addExactly(quotient, (a - product - low + aLow - quotient * bLow) / b);
}

/** The coefficients 1/first!, ±1/(first + step)!, … */
export function inverseFactorials(first: number, step: number, count: number, sign = 1): Float64Array {
  const coefficients = new Float64Array(count);
  let factorial = 1;
  let factor = 1;
  for (let i = 0, n = 1; i < count; n++) {
    factorial *= n;
    if (n < first || (n - first) % step !== 0) continue;
    coefficients[i++] = factor / factorial;
    factor *= sign;
  }
  return coefficients;
}

export function polynomial(coefficients: Float64Array, x: number): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + (coefficients[i] as number);
  return sum;
}
