import { addExactly, dividePairs, inverseFactorials, lowPart, polynomial } from './pair-arithmetic.ts';

// See elementary.ts for why these replace the functions of Math.

export function sin(x: number): number {
  if (x === 0) return x;
  const quadrant = reduce(x);
  const value = quadrant % 2 === 0 ? sinPair(rest, restLow) : cosPair(rest, restLow);
  return quadrant < 2 ? value + lowPart() : -(value + lowPart());
}

export function cos(x: number): number {
  const quadrant = reduce(x);
  const value = quadrant % 2 === 0 ? cosPair(rest, restLow) : sinPair(rest, restLow);
  return quadrant === 0 || quadrant === 3 ? value + lowPart() : -(value + lowPart());
}

export function tan(x: number): number {
  if (x === 0) return x;
  const quadrant = reduce(x);
  const sine = sinPair(rest, restLow);
  const sineLow = lowPart();
  const cosine = cosPair(rest, restLow);
  return quadrant % 2 === 0
    ? dividePairs(sine, sineLow, cosine, lowPart())
    : -dividePairs(cosine, lowPart(), sine, sineLow);
}

const SIN = inverseFactorials(3, 2, 8, -1);

function sinPair(x: number, xLow: number): number {
  const z = x * x;
  return addExactly(x, xLow * (1 - z / 2) - x * z * polynomial(SIN, z));
}

const COS = inverseFactorials(4, 2, 7, -1);

function cosPair(x: number, xLow: number): number {
  const z = x * x;
  const first = addExactly(1, -z / 2);
  return addExactly(first, lowPart() + (z * z * polynomial(COS, z) - x * xLow));
}

/** What remains of the last reduced angle, between -π/4 and π/4. */
let rest = 0;
let restLow = 0;

// π/2 in four pieces. Multiples of the first three by up to MAX_MULTIPLE are exact, because their last bits are 0.
const HALF_PI = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32] as const;
const MAX_MULTIPLE = 1_000_000;

/** Sets `rest` to x minus the nearest multiple of π/2. @returns the number of that multiple, modulo 4 */
function reduce(x: number): number {
  const multiple = Math.round(x / HALF_PI[0]);
  if (multiple === 0) {
    rest = x;
    restLow = 0;
    return 0;
  }
  if (!(Math.abs(multiple) < MAX_MULTIPLE)) return reduceLarge(x);
  const first = addExactly(x - multiple * HALF_PI[0], -multiple * HALF_PI[1]);
  const firstLow = lowPart();
  const second = addExactly(first, -multiple * HALF_PI[2]);
  rest = addExactly(second, lowPart() + firstLow - multiple * HALF_PI[3]);
  restLow = lowPart();
  return ((multiple % 4) + 4) % 4;
}

/** The largest number has 1024 bits before the point, and about 120 after it are needed. */
const PRECISION = 1200n;
let halfPi = 0n;

function reduceLarge(x: number): number {
  if (!Number.isFinite(x)) {
    rest = NaN;
    return 0;
  }
  if (halfPi === 0n) halfPi = 2n * (4n * inverseArctangent(5n) - inverseArctangent(239n));
  const size = Math.abs(x);
  // Numbers of this size are multiples of 2^-32.
  const scaled = size < 2 ** 53 ? BigInt(size * 2 ** 32) << (PRECISION - 32n) : BigInt(size) << PRECISION;
  const multiple = (2n * scaled + halfPi) / (2n * halfPi);
  const remainder = (scaled - multiple * halfPi) >> (PRECISION - 180n);
  const high = Number(remainder);
  rest = (Math.sign(x) * high) / 2 ** 180;
  restLow = (Math.sign(x) * Number(remainder - BigInt(high))) / 2 ** 180;
  return (Number(multiple % 4n) * (x < 0 ? 3 : 1)) % 4;
}

/** Returns arctan(1/n). */
function inverseArctangent(n: bigint): bigint {
  let term = (1n << PRECISION) / n;
  let sum = 0n;
  for (let k = 1n; term !== 0n; k += 2n) {
    sum += term / k;
    term /= -n * n;
  }
  return sum;
}
