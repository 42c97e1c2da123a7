import type { BenchSeries } from './series-file.ts';

export const QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9] as const;
const MEDIAN = QUANTILES.indexOf(0.5);

/** The scores of one forecast of one series. */
export interface Score {
  readonly smape: number;
  readonly mase: number;
  readonly wql: number;
  readonly coverage_80: number;
  readonly cpu_ms: number;
}

/** Computes sMAPE and MASE on the median, as the M competitions define them, and wQL as the mean over the quantiles. */
export function scoreForecast(series: BenchSeries, rows: readonly Float64Array[], cpuMs: number): Score {
  let smape = 0;
  let absolute = 0;
  let pinball = 0;
  let total = 0;
  let covered = 0;
  for (let h = 0; h < series.horizon; h++) {
    const row = rows[h] as Float64Array;
    const actual = series.actuals[h] as number;
    const point = row[MEDIAN] as number;
    const size = Math.abs(point) + Math.abs(actual);
    smape += size > 0 ? (200 * Math.abs(point - actual)) / size : 0;
    absolute += Math.abs(point - actual);
    total += Math.abs(actual);
    QUANTILES.forEach((q, i) => {
      const over = actual - (row[i] as number);
      pinball += 2 * (over >= 0 ? q * over : (q - 1) * over);
    });
    if (actual >= (row[0] as number) && actual <= (row[QUANTILES.length - 1] as number)) covered++;
  }
  return {
    smape: smape / series.horizon,
    mase: absolute / series.horizon / naiveError(series),
    wql: total > 0 ? pinball / QUANTILES.length / total : Number.NaN,
    coverage_80: covered / series.horizon,
    cpu_ms: cpuMs,
  };
}

/** Returns the mean absolute in-sample error of the seasonal naive model, or NaN if it is 0. */
function naiveError({ history, season }: BenchSeries): number {
  const lag = history.length > season ? season : 1;
  let sum = 0;
  for (let t = lag; t < history.length; t++) sum += Math.abs((history[t] as number) - (history[t - lag] as number));
  return sum > 0 ? sum / (history.length - lag) : Number.NaN;
}

/** Returns the means over series. The mean of a measure covers the series for which it is defined. */
export function meanScore(scores: readonly Score[]): Score & { n: number } {
  const mean = (measure: keyof Score): number => {
    const present = scores.map((score) => score[measure]).filter((value) => !Number.isNaN(value));
    return present.reduce((sum, value) => sum + value, 0) / present.length;
  };
  return {
    n: scores.length,
    smape: mean('smape'),
    mase: mean('mase'),
    wql: mean('wql'),
    coverage_80: mean('coverage_80'),
    cpu_ms: mean('cpu_ms'),
  };
}
