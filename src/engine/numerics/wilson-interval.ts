/** A 95% interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The normal score of 97.5%. */
const Z = 1.959963984540054;

/**
 * Returns Wilson's 95% interval of the share of `hits` in `count` independent cases. Unlike the normal approximation, it
 * stays within 0 and 1 and is accurate for small counts.
 *
 * @param count must be positive
 */
export function wilsonInterval(hits: number, count: number): Interval {
  const share = hits / count;
  const square = (Z * Z) / count;
  const center = share + square / 2;
  const reach = Z * Math.sqrt((share * (1 - share)) / count + square / (4 * count));
  return { low: Math.max(0, (center - reach) / (1 + square)), high: Math.min(1, (center + reach) / (1 + square)) };
}
