import type { LagPolynomials } from './lag-polynomial.ts';

/**
 * Writes the innovations of `w` straight from their definition, from period `from` on, and those of a series of ones:
 * what a mean of 1 would do to them (its moving average only where a mean is wanted).
 *
 * @param first innovations before this period count as zero
 */
export function recurseInnovations(
  { ar, ma, arLags, maLags }: LagPolynomials,
  w: Float64Array,
  withMean: boolean,
  from: number,
  first: number,
  errors: Float64Array,
  errorsOfOne: Float64Array,
): void {
  let one = 1;
  for (let l = 0; l < arLags.length; l++) one -= ar[(arLags[l] as number) - 1] as number;
  for (let t = from; t < w.length; t++) {
    let sum = w[t] as number;
    for (let l = 0; l < arLags.length; l++) {
      const lag = arLags[l] as number;
      sum -= (ar[lag - 1] as number) * (w[t - lag] as number);
    }
    let sumOfOne = one;
    for (let l = 0; l < maLags.length; l++) {
      const lag = maLags[l] as number;
      if (t - lag < first) break;
      const weight = ma[lag - 1] as number;
      sum -= weight * (errors[t - lag] as number);
      if (withMean) sumOfOne -= weight * (errorsOfOne[t - lag] as number);
    }
    errors[t] = sum;
    errorsOfOne[t] = sumOfOne;
  }
}
