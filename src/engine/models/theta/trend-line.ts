/**
 * The least squares line through the values seen so far, after each value: `intercept[t]` and `slope[t]` use the first
 * t values, the k-th of which lies at k = 1, 2, ... A gap is filled by the line's own continuation, which leaves the
 * line as it is.
 */
export interface TrendLine {
  readonly intercept: Float64Array;
  readonly slope: Float64Array;
}

export function growingTrendLine(values: Float64Array): TrendLine {
  const n = values.length;
  const intercept = new Float64Array(n + 1);
  const slope = new Float64Array(n + 1);
  let mean = 0;
  let rise = 0;
  for (let t = 1; t <= n; t++) {
    let y = values[t - 1] as number;
    if (Number.isNaN(y)) y = (intercept[t - 1] as number) + rise * t;
    rise = t === 1 ? 0 : ((t - 2) * rise + (6 * (y - mean)) / t) / (t + 1);
    mean += (y - mean) / t;
    slope[t] = rise;
    intercept[t] = mean - (rise * (t + 1)) / 2;
  }
  return { intercept, slope };
}
