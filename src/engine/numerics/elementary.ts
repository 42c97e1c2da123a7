// Elementary functions that return the same bits on every processor. The functions of Math differ in the last bit
// between x64 and arm64, because V8 compiles its own with fused multiply-add where the processor has it. A search that
// stops early then ends at another point. These functions use only operations that IEEE 754 rounds exactly
// (+ - * / sqrt), and are within 1 ulp. The operator ** is Math.pow, which is exact for the exponent 2 only.

import { addExactly, dividePairs, inverseFactorials, lowPart, multiplyExactly, polynomial } from './pair-arithmetic.ts';

/** 2^-1022 … 2^1023, by doubling. */
const powersOfTwo = new Float64Array(2046).fill(2.2250738585072014e-308);
for (let i = 1; i < powersOfTwo.length; i++) powersOfTwo[i] = 2 * (powersOfTwo[i - 1] as number);

/** Returns value · 2^exponent. */
function scale(value: number, exponent: number): number {
  if (exponent > 1023) return scale(value, 1023) * (powersOfTwo[exponent - 1] as number);
  if (exponent < -1022) return scale(scale(value, -900), exponent + 900);
  return value * (powersOfTwo[exponent + 1022] as number);
}

// The multiples of LN2_HIGH that occur are exact, because its last bits are 0.
const LN2_HIGH = 0.6931471805598903;
const LN2_LOW = 5.497923018708371e-14;
const EXP = inverseFactorials(2, 1, 12);

/** The exponent of the last result of `reduceExp` or `reduceLog`. */
let exponent = 0;

/** Returns t where exp(x + xLow) = 2^exponent · (1 + t + lowPart()). */
function reduceExp(x: number, xLow: number): number {
  exponent = Math.round(x * Math.LOG2E);
  const rest = addExactly(x - exponent * LN2_HIGH, xLow - exponent * LN2_LOW);
  const restLow = lowPart();
  const t = addExactly(rest, rest * rest * polynomial(EXP, rest));
  return addExactly(t, lowPart() + restLow * (1 + t));
}

export function exp(x: number): number {
  return expOfPair(x, 0);
}

function expOfPair(x: number, xLow: number): number {
  if (!(x < 710)) return x * Infinity; // NaN stays NaN.
  if (x < -746) return 0;
  const t = reduceExp(x, xLow);
  const tLow = lowPart();
  return scale(addExactly(1, t) + (lowPart() + tLow), exponent);
}

export function expm1(x: number): number {
  if (x === 0) return x;
  if (!(x < 40)) return exp(x);
  return x < -40 ? -1 : expm1Pair(x) + lowPart();
}

/** @param x between -40 and 40 */
function expm1Pair(x: number): number {
  const t = reduceExp(x, 0);
  const tLow = lowPart();
  const power = scale(1, exponent);
  const sum = addExactly(power, power * t);
  const sumLow = lowPart() + power * tLow;
  return addExactly(addExactly(sum, -1), lowPart() + sumLow);
}

const SINH = inverseFactorials(3, 2, 9);

export function sinh(x: number): number {
  const size = Math.abs(x);
  if (size < 1) return x + x * (x * x) * polynomial(SINH, x * x);
  if (!(size < 711)) return x * Infinity;
  const t = reduceExp(size, 0);
  const tLow = lowPart();
  const sum = addExactly(1, t);
  const sumLow = lowPart() + tLow;
  const inverse = size < 40 ? scale(1 / sum, -2 * exponent) : 0;
  const value = addExactly(sum, -inverse);
  return Math.sign(x) * scale(value + (lowPart() + sumLow), exponent - 1);
}

export function tanh(x: number): number {
  const size = Math.abs(x);
  if (size > 20) return Math.sign(x);
  const grown = expm1Pair(2 * size);
  const grownLow = lowPart();
  const divisor = addExactly(grown, 2);
  return x === 0 ? x : Math.sign(x) * dividePairs(grown, grownLow, divisor, lowPart() + grownLow);
}

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
const HIGH_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

/** Returns m in [√½, √2) where x = 2^exponent · m, for a positive finite x. */
function reduceLog(x: number): number {
  if (x < 2.2250738585072014e-308) {
    const mantissa = reduceLog(x * 18014398509481984); // 2^54
    exponent -= 54;
    return mantissa;
  }
  float[0] = x;
  const word = words[HIGH_WORD] as number;
  exponent = (word >>> 20) - 1023;
  words[HIGH_WORD] = (word & 0xfffff) | 0x3ff00000;
  const mantissa = float[0] as number;
  if (mantissa < Math.SQRT2) return mantissa;
  exponent += 1;
  return mantissa / 2;
}

/** The logarithm of 1 + f is 2s + 2s³/3 + 2s⁵/5 + … with s = f / (2 + f). These are 2/3, 2/5, … */
const LOG = Float64Array.from({ length: 11 }, (_, i) => 2 / (2 * i + 3));

/** Returns exponent · ln 2 + log(1 + f) + correction. */
function logOf(f: number, exponent: number, correction: number): number {
  const s = f / (2 + f);
  const z = s * s;
  const half = (f * f) / 2;
  const rest = s * (half + z * polynomial(LOG, z));
  return exponent * LN2_HIGH - (half - (rest + (exponent * LN2_LOW + correction)) - f);
}

export function log(x: number): number {
  if (!(x > 0 && x < Infinity)) return x === 0 ? -Infinity : x > 0 ? x : NaN;
  const mantissa = reduceLog(x);
  return logOf(mantissa - 1, exponent, 0);
}

export function log1p(x: number): number {
  if (x === 0 || x === Infinity) return x;
  return x > -1 ? log1pOfPair(x, 0) : x === -1 ? -Infinity : NaN;
}

function log1pOfPair(x: number, xLow: number): number {
  if (x > -0.29 && x < 0.41) return logOf(x, 0, xLow / (1 + x));
  const sum = addExactly(1, x);
  const sumLow = lowPart() + xLow;
  const mantissa = reduceLog(sum);
  return logOf(mantissa - 1, exponent, sumLow / sum);
}

export function asinh(x: number): number {
  const size = Math.abs(x);
  if (!(size > 1e-9 && size < Infinity)) return x;
  return Math.sign(x) * (size > 1 ? asinhAboveOne(size) : asinhUpToOne(size));
}

function asinhUpToOne(x: number): number {
  const square = x * x;
  const sum = addExactly(x, square / (1 + Math.sqrt(1 + square)));
  return log1pOfPair(sum, lowPart());
}

function asinhAboveOne(x: number): number {
  const inverse = x < 1e9 ? 1 / (x + Math.sqrt(x * x + 1)) : 0;
  const sum = addExactly(x, inverse / 2);
  const sumLow = lowPart();
  const mantissa = reduceLog(sum);
  return logOf(mantissa - 1, exponent + 1, sumLow / sum);
}

const THIRD = 1 / 3;
const THIRD_LOW = 1.850371707708594e-17;
/** 1/5, 1/7, … */
const LOG_TAIL = Float64Array.from({ length: 10 }, (_, i) => 1 / (2 * i + 5));

/** Returns log(x) for a positive finite x, with about 65 correct bits together with `lowPart`. */
function logPair(x: number): number {
  const mantissa = reduceLog(x);
  const divisor = addExactly(1, mantissa);
  const s = dividePairs(mantissa - 1, 0, divisor, lowPart());
  const sLow = lowPart();
  const z = multiplyExactly(s, s);
  const zLow = lowPart() + 2 * s * sLow;
  const third = multiplyExactly(z, THIRD);
  const thirdLow = lowPart() + z * THIRD_LOW + zLow * THIRD;
  const series = addExactly(third, z * z * polynomial(LOG_TAIL, z));
  const seriesLow = lowPart() + thirdLow;
  const rest = multiplyExactly(2 * s, series);
  const restLow = lowPart() + 2 * (s * seriesLow + sLow * (1 + series));
  const ofMantissa = addExactly(2 * s, rest);
  const ofMantissaLow = lowPart() + restLow;
  const first = addExactly(exponent * LN2_HIGH, ofMantissa);
  const firstLow = lowPart() + ofMantissaLow;
  const sum = addExactly(first, exponent * LN2_LOW);
  return addExactly(sum, lowPart() + firstLow);
}

const LOG2E_LOW = 2.0355273740931033e-17;

export function log2(x: number): number {
  if (!(x > 0 && x < Infinity)) return log(x);
  if (reduceLog(x) === 1) return exponent;
  const ln = logPair(x);
  const lnLow = lowPart();
  const product = multiplyExactly(ln, Math.LOG2E);
  return product + (lowPart() + lnLow * Math.LOG2E + ln * LOG2E_LOW);
}

/** Returns base^power; NaN for a negative base. */
export function pow(base: number, power: number): number {
  if (power === 0 || base === 1) return 1;
  if (!(base >= 0) || Number.isNaN(power)) return NaN;
  if (base === 0 || base === Infinity) return base > 0 === power > 0 ? Infinity : 0;
  const ln = logPair(base);
  const lnLow = lowPart();
  if (!(Math.abs(ln * power) < 800)) return expOfPair(ln * power, 0);
  const product = multiplyExactly(ln, power);
  return expOfPair(product, lowPart() + lnLow * power);
}
