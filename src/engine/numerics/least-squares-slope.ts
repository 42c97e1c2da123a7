/** The slope of the least squares line through the observed values, per period; 0 where there is none. */
export function leastSquaresSlope(values: Float64Array): number {
  let count = 0;
  let meanTime = 0;
  let mean = 0;
  let timeSquares = 0;
  let products = 0;
  for (let t = 0; t < values.length; t++) {
    const value = values[t] as number;
    if (Number.isNaN(value)) continue;
    count++;
    const offTime = t - meanTime;
    meanTime += offTime / count;
    mean += (value - mean) / count;
    timeSquares += offTime * (t - meanTime);
    products += offTime * (value - mean);
  }
  return timeSquares > 0 ? products / timeSquares : 0;
}
