/** The actual value of one row, and the forecast for it. */
interface ScoredRow {
  readonly actual: number;
  /** One forecast value per quantile level, in ascending order of the levels. */
  readonly quantiles: ArrayLike<number>;
}

/** Accuracy of forecasts. A measure is null if it is undefined. */
export interface Metrics {
  /** Number of scored rows. */
  readonly count: number;
  /** Number of rows with a point forecast, which is the 0.5 quantile; 0 if that quantile was not requested. */
  readonly point_count: number;
  readonly mae: number | null;
  readonly rmse: number | null;
  /** A ratio from 0 to 2; a row whose actual value and forecast are both 0 contributes 0. */
  readonly smape: number | null;
  /**
   * Mean over the quantiles of twice the pinball loss, divided by the total of the absolute actual values; null if that
   * total is 0.
   */
  readonly average_wql: number | null;
  /** The share of rows inside each central interval, by the nominal share of the interval, such as "0.8". */
  readonly coverage: Readonly<Record<string, number>>;
}

/**
 * Computes the metrics of scored rows.
 *
 * @param levels the quantile levels of the values in every row, ascending
 */
export function computeMetrics(rows: readonly ScoredRow[], levels: readonly number[]): Metrics {
  const median = levels.indexOf(0.5);
  let absolute = 0;
  let squares = 0;
  // Errors are divided by the largest error before they are squared; otherwise the squares of tiny errors would vanish
  // and those of huge errors would overflow.
  const largest = median < 0 ? 0 : largestError(rows, median);
  let ratios = 0;
  let pinball = 0;
  let total = 0;
  for (const { actual, quantiles } of rows) {
    total += Math.abs(actual);
    levels.forEach((level, i) => {
      pinball += 2 * pinballLoss(level, actual, quantiles[i] as number);
    });
    if (median < 0) continue;
    const point = quantiles[median] as number;
    const error = Math.abs(actual - point);
    const size = Math.abs(actual) + Math.abs(point);
    absolute += error;
    squares += largest > 0 ? (error / largest) ** 2 : 0;
    ratios += size > 0 ? (2 * error) / size : 0;
  }
  const count = rows.length;
  const points = median < 0 ? 0 : count;
  return {
    count,
    point_count: points,
    mae: points > 0 ? absolute / points : null,
    rmse: points > 0 ? largest * Math.sqrt(squares / points) : null,
    smape: points > 0 ? ratios / points : null,
    average_wql: total > 0 && Number.isFinite(pinball / total) ? pinball / levels.length / total : null,
    coverage: coverage(rows, levels),
  };
}

/** The metrics of no rows: the counts are 0 and the measures null. */
export const NO_METRICS: Metrics = computeMetrics([], []);

function largestError(rows: readonly ScoredRow[], median: number): number {
  return rows.reduce(
    (most, { actual, quantiles }) => Math.max(most, Math.abs(actual - (quantiles[median] as number))),
    0,
  );
}

/**
 * Returns the pinball loss of `value` as the forecast of the `level` quantile of a row whose actual value is `actual`.
 */
export function pinballLoss(level: number, actual: number, value: number): number {
  const over = actual - value;
  return over >= 0 ? level * over : (level - 1) * over;
}

function coverage(rows: readonly ScoredRow[], levels: readonly number[]): Record<string, number> {
  const shares: Record<string, number> = {};
  if (rows.length === 0) return shares;
  levels.forEach((low, i) => {
    const j = levels.findIndex((level) => Math.abs(level - (1 - low)) < 1e-9);
    if (j <= i) return;
    const inside = rows.filter(
      ({ actual, quantiles }) => actual >= (quantiles[i] as number) && actual <= (quantiles[j] as number),
    );
    // 0.9 - 0.1 is 0.8 only after rounding.
    shares[String(Math.round((1 - 2 * low) * 1e9) / 1e9)] = inside.length / rows.length;
  });
  return shares;
}
