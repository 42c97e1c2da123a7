/**
 * Minus the logarithm (base 10) of the chance that all of these chances together are as small as they are, by Fisher's
 * method. Chances that were reckoned against the same neighbours move together; their sum of logarithms then varies more,
 * which is allowed for by its variance (Brown's method).
 *
 * @param covariances sum of the covariances of the logarithms over all pairs
 */
export function combineChances(chances: readonly number[], covariances: number): number {
  const count = chances.length;
  if (count === 0) return 0;
  const sum = chances.reduce((total, chance) => total - Math.log(Math.max(chance, 1e-30)), 0);
  const scale = 1 + (2 * covariances) / count;
  return -logGammaTail(sum / scale, Math.max(1, count / scale)) / Math.LN10;
}

/** Logarithm of the upper tail of the gamma distribution, between whole shapes by a straight line. */
function logGammaTail(x: number, shape: number): number {
  const whole = Math.floor(shape);
  const rest = shape - whole;
  return (1 - rest) * logErlangTail(x, whole) + (rest > 0 ? rest * logErlangTail(x, whole + 1) : 0);
}

/** The chance that `count` exponential draws together exceed `x`, as a logarithm. */
function logErlangTail(x: number, count: number): number {
  let term = 1;
  let total = 1;
  for (let i = 1; i < count; i++) {
    term *= x / i;
    total += term;
  }
  return Math.log(total) - x;
}
