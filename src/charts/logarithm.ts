/** Powers of two up to 2^512, by doubling, so that each is exact. */
const POWERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].map((exponent) => {
  let power = 1;
  for (let i = 0; i < exponent; i++) power *= 2;
  return [exponent, power] as const;
});
const LOG10_OF_2 = 0.3010299956639812;
const LOG10_OF_E = Math.LOG10E;

/**
 * Returns the logarithm of a number to the base of ten; NaN for zero and below. Math.log10 differs between processors in
 * its last bit, and charts are the same everywhere.
 */
export function log10(value: number): number {
  if (!(value > 0) || value === Number.POSITIVE_INFINITY) return Number.NaN;
  let [rest, twos] = [value, 0];
  for (const [exponent, power] of POWERS.toReversed()) {
    if (rest >= power) [rest, twos] = [rest / power, twos + exponent];
    else if (rest * power < 1.5) [rest, twos] = [rest * power, twos - exponent];
  }
  // The rest is from 0.75 to 2. The series of the inverse hyperbolic tangent converges fast near 1.
  if (rest > 1.5) [rest, twos] = [rest / 2, twos + 1];
  const z = (rest - 1) / (rest + 1);
  let [term, sum] = [z, 0];
  for (let n = 1; n < 40; n += 2) {
    sum += term / n;
    term *= z * z;
  }
  return twos * LOG10_OF_2 + 2 * sum * LOG10_OF_E;
}
