// Elementary functions in fixed-point arithmetic with big integers: far more digits than a number has, and slow.

const BITS = 1400n;
const ONE = 1n << BITS;

/** Returns the exact value of a finite number. */
export function toBig(x: number): bigint {
  let exponent = 0;
  let integer = x;
  // Multiplying by a power of two is exact here: the smallest number times 2^1074 is 1.
  while (!Number.isInteger(integer)) {
    integer *= 2;
    exponent++;
  }
  return (BigInt(integer) << BITS) >> BigInt(exponent);
}

/** Returns the distance of a number from an exact value in units in the last place of that value. */
export function ulpsBetween(x: number, exact: bigint): number {
  const size = exact < 0n ? -exact : exact;
  const exponent = Math.max(size.toString(2).length - 1 - Number(BITS), -1022);
  const ulp = 1n << BigInt(exponent - 52 + Number(BITS));
  return Math.abs(Number(((toBig(x) - exact) * 1_000_000n) / ulp) / 1e6);
}

const multiply = (a: bigint, b: bigint): bigint => (a * b) >> BITS;
const divide = (a: bigint, b: bigint): bigint => (a << BITS) / b;

function exp(x: bigint): bigint {
  const halvings = 24n;
  const small = x >> halvings;
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n && term !== -1n; n++) {
    term = multiply(term, small) / n;
    sum += term;
  }
  for (let i = 0n; i < halvings; i++) sum = multiply(sum, sum);
  return sum;
}

function log(x: bigint): bigint {
  // Halley's method from the logarithm of the leading bits; each step triples the number of correct digits.
  const bits = x.toString(2).length;
  const leading = Number(x >> BigInt(Math.max(bits - 53, 0)));
  let y = toBig(Math.log(leading) + (Math.max(bits - 53, 0) - Number(BITS)) * Math.LN2);
  for (let i = 0; i < 3; i++) {
    const grown = exp(y);
    y += divide(2n * (x - grown), x + grown);
  }
  return y;
}

function squareRoot(x: bigint): bigint {
  const square = x << BITS;
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

function sinAndCos(x: bigint): [bigint, bigint] {
  const turn = 8n * (4n * arctangentOfInverse(5n) - arctangentOfInverse(239n));
  const angle = x % turn;
  let term = ONE;
  const sums: [bigint, bigint] = [0n, ONE];
  for (let n = 1n; term !== 0n && term !== -1n; n++) {
    term = multiply(term, angle) / n;
    sums[n % 2n === 1n ? 0 : 1] += n % 4n < 2n ? term : -term;
  }
  return sums;
}

function arctangentOfInverse(n: bigint): bigint {
  let power = ONE / n;
  let sum = 0n;
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += power / k;
    power /= -n * n;
  }
  return sum;
}

/** The exact values, rounded to 1,400 bits after the point, for arguments that are exact values themselves. */
export const BIG = {
  exp,
  expm1: (x: bigint): bigint => exp(x) - ONE,
  log,
  log1p: (x: bigint): bigint => log(ONE + x),
  log2: (x: bigint): bigint => divide(log(x), log(2n * ONE)),
  sinh: (x: bigint): bigint => (exp(x) - exp(-x)) / 2n,
  tanh: (x: bigint): bigint => divide(exp(2n * x) - ONE, exp(2n * x) + ONE),
  asinh: (x: bigint): bigint => (x < 0n ? -log(hypotenuse(x) - x) : log(hypotenuse(x) + x)),
  sin: (x: bigint): bigint => sinAndCos(x)[0],
  cos: (x: bigint): bigint => sinAndCos(x)[1],
  tan: (x: bigint): bigint => divide(...sinAndCos(x)),
  pow: (x: bigint, y: bigint): bigint => exp(multiply(y, log(x))),
};

function hypotenuse(x: bigint): bigint {
  return squareRoot(ONE + multiply(x, x));
}
