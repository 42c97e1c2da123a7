import { exp, expm1, log, pow } from './elementary.ts';
import type { Random } from './random.ts';
import { tan } from './trigonometric.ts';

/** Returns a quantile of the standard normal distribution (Wichura's AS 241, relative error below 1e-15). */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? Number.NEGATIVE_INFINITY : p === 1 ? Number.POSITIVE_INFINITY : Number.NaN;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return q * ratio(r, CENTER_A, CENTER_B);
  }
  const r = Math.sqrt(-log(q < 0 ? p : 1 - p));
  const value = r <= 5 ? ratio(r - 1.6, NEAR_C, NEAR_D) : ratio(r - 5, FAR_E, FAR_F);
  return q < 0 ? -value : value;
}

/**
 * Returns the probability that a standard normal value is at most `z`. Uses Hart's rational function, and a continued
 * fraction in the far tail. The absolute error is below 1e-15; the relative error of the lower tail is below 1e-8.
 */
export function normalProbability(z: number): number {
  const distance = Math.abs(z);
  const density = exp((-distance * distance) / 2);
  // The tail is 0 beyond 38; without the bound an infinite z would give 0 / 0.
  const tail = distance > 38 ? 0 : density * (distance < 7 ? ratio(distance, HART_P, HART_Q) : farTail(distance));
  return z > 0 ? 1 - tail : tail;
}

/** Draws from the standard normal distribution by inversion: one uniform number per draw, so streams stay aligned. */
export function drawNormal(random: Random): number {
  return normalQuantile(random.uniform() || Number.MIN_VALUE);
}

function ratio(x: number, numerator: readonly number[], denominator: readonly number[]): number {
  let top = 0;
  let bottom = 0;
  for (let i = numerator.length - 1; i >= 0; i--) {
    top = top * x + (numerator[i] as number);
    bottom = bottom * x + (denominator[i] as number);
  }
  return top / bottom;
}

/** Mills' ratio divided by the square root of 2π, as a continued fraction. */
function farTail(z: number): number {
  let fraction = z + 0.65;
  for (let step = 4; step >= 1; step--) fraction = z + step / fraction;
  return 1 / (fraction * Math.sqrt(2 * Math.PI));
}

const CENTER_A = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
];
const CENTER_B = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852546,
];
const NEAR_C = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
];
const NEAR_D = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const FAR_E = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
];
const FAR_F = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
  1.421511758316446e-7, 2.0442631033899397e-15,
];
const HART_P = [
  220.206867912376, 221.213596169931, 112.079291497871, 33.912866078383, 6.37396220353165, 0.700383064443688,
  0.0352624965998911, 0,
];
const HART_Q = [
  440.413735824752, 793.826512519948, 637.333633378831, 296.564248779674, 86.7807322029461, 16.064177579207,
  1.75566716318264, 0.0883883476483184,
];

/**
 * Returns a quantile of Student's t distribution with `freedom` >= 1 degrees: exact for 1 and 2, otherwise Hill's
 * algorithm 396 (relative error below 1e-3 at 3 degrees and falling fast). It is wider than the normal distribution
 * because few data determine the variance.
 */
export function studentQuantile(p: number, freedom: number): number {
  if (p === 0.5) return 0;
  if (p <= 0 || p >= 1 || freedom > 1e6) return normalQuantile(p);
  const sign = p < 0.5 ? -1 : 1;
  const tail = 2 * Math.min(p, 1 - p);
  const n = Math.max(1, freedom);
  if (n === 1) return sign / tan((tail * Math.PI) / 2);
  if (n === 2) return sign * Math.sqrt(2 / (tail * (2 - tail)) - 2);
  const a = 1 / (n - 0.5);
  const b = 48 / (a * a);
  let c = ((20700 * a) / b - 98) * a - 16;
  c = c * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * n;
  let y = pow(d * tail, 2 / n);
  if (y > 0.05 + a) {
    const x = normalQuantile(tail / 2);
    y = x * x;
    if (n < 5) c += 0.3 * (n - 4.5) * (x + 0.6);
    c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = expm1(a * y * y);
  } else {
    y =
      ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * ((n + 1) / (n + 2)) +
      1 / y;
  }
  return sign * Math.sqrt(n * y);
}

/** Returns a quantile of ascending values by linear interpolation between their ranks (type 7 of Hyndman and Fan). */
export function sortedQuantile(ascending: Float64Array, probability: number): number {
  const position = probability * (ascending.length - 1);
  const below = Math.floor(position);
  const low = ascending[below] as number;
  const high = ascending[Math.min(below + 1, ascending.length - 1)] as number;
  return low + (position - below) * (high - low);
}
