/** How well a filter has done, and the mean that makes it do best. */
export interface InnovationScore {
  /** The mean of the differenced series by generalised least squares, and the information on it. */
  readonly mean: number;
  readonly meanInformation: number;
  /** Geometric mean of the variances. */
  readonly scale: number;
  /** Sum of the squared scaled residuals: n * exp(-2 loglik / n - 1 - log(2 pi)). */
  readonly squares: number;
}

/**
 * Scores innovations with their variances; a variance of 0 marks a period that does not count. `errorsOfOne` are the
 * innovations of a mean of 1 (all 0 without one). Writes the scaled residuals to `out`.
 */
export function scoreInnovations(
  errors: Float64Array,
  errorsOfOne: Float64Array,
  variances: Float64Array,
  out: Float64Array,
): InnovationScore {
  let sumLog = 0;
  let scored = 0;
  let top = 0;
  let meanInformation = 0;
  for (let t = 0; t < errors.length; t++) {
    const variance = variances[t] as number;
    if (variance === 0) continue;
    sumLog += Math.log(variance);
    scored++;
    top += ((errors[t] as number) * (errorsOfOne[t] as number)) / variance;
    meanInformation += (errorsOfOne[t] as number) ** 2 / variance;
  }
  const mean = meanInformation > 0 ? top / meanInformation : 0;
  const scale = Math.exp(sumLog / Math.max(1, scored));
  let squares = 0;
  for (let t = 0; t < errors.length; t++) {
    const variance = variances[t] as number;
    const error = (errors[t] as number) - mean * (errorsOfOne[t] as number);
    out[t] = variance === 0 ? 0 : error * Math.sqrt(scale / variance);
    squares += (out[t] as number) ** 2;
  }
  return { mean, meanInformation, scale, squares };
}
