import { type Cadence, checkSeries } from '../../calendar/index.ts';
import { quantileKey } from '../ensemble/result.ts';
import { modelSeason } from '../seasonality/candidates.ts';
import { seasonalNaive } from './seasonal-naive.ts';

/** The series of a forecast, and what its result states about it. */
export interface BaselineRequest {
  readonly cadence: Cadence;
  readonly timestamps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** The season in the result; 1 if none was detected. */
  readonly season: number;
  readonly horizon: number;
  readonly quantiles: readonly number[];
}

/** Seasonal naive uses no random numbers. */
const ANY_SEED = 1;

/**
 * Returns the quantiles of the seasonal naive forecast from the end of a series, by step. They are those that
 * `forecast` reports for seasonal naive as a member model. Throws a `SeriesError` if rows are invalid.
 */
export function forecastSeasonalNaive(request: BaselineRequest): Readonly<Record<string, number>>[] {
  const { cadence, timestamps, values, season, horizon, quantiles } = request;
  const series = { ...checkSeries(cadence, timestamps, values), cadence, season: modelSeason(season, cadence) };
  const rows = seasonalNaive.fit(series, { seed: ANY_SEED })(horizon, quantiles);
  return rows.map((row) => Object.fromEntries(quantiles.map((level, i) => [quantileKey(level), row[i] as number])));
}
