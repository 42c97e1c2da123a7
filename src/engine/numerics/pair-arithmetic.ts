// Sums, products and quotients with about twice the precision of a number. A value is represented by a pair: the
// rounded value, and the part that rounding lost. `lowPart` returns the second.

// An array, because a module variable or a returned pair would allocate memory in each call.
const lost = new Float64Array(1);

/** Returns the part that rounding lost in the last result of a function below. */
export function lowPart(): number {
  return lost[0] as number;
}

export function addExactly(a: number, b: number): number {
  const sum = a + b;
  const added = sum - a;
  lost[0] = a - (sum - added) + (b - added);
  return sum;
}

const SPLITTER = 134217729; // 2^27 + 1

export function multiplyExactly(a: number, b: number): number {
  const product = a * b;
  const aHigh = SPLITTER * a - (SPLITTER * a - a);
  const bHigh = SPLITTER * b - (SPLITTER * b - b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  lost[0] = aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
  return product;
}

/** Returns (a + aLow) / (b + bLow). */
export function dividePairs(a: number, aLow: number, b: number, bLow: number): number {
  const quotient = a / b;
  const product = multiplyExactly(quotient, b);
  return addExactly(quotient, (a - product - lowPart() + aLow - quotient * bLow) / b);
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
