import { checkQuantiles } from '../../check-quantiles.ts';
import { type Forecaster, type Model, ModelError, throwIfAborted } from '../../model.ts';
import { normalQuantile } from '../../numerics/normal.ts';
import type { Series } from '../../series.ts';

const LARGEST = 1e150;

/**
 * The last season again: each step repeats the newest observation at its place in the season. The spread is that of
 * past changes from season to season, and grows with the root of the number of seasons ahead, as for a seasonal random
 * walk.
 */
export const seasonalNaive: Model = {
  id: 'seasonal_naive',
  quantileSupport: { type: 'requested' },
  fit(series, context) {
    throwIfAborted(context.signal);
    return fit(series);
  },
};

function fit(series: Series): Forecaster {
  const { values } = series;
  const observed = values.filter((value) => !Number.isNaN(value));
  if (observed.length < 1) throw new ModelError('INSUFFICIENT_HISTORY', 'seasonal_naive needs an observation.');
  if (observed.some((value) => !(Math.abs(value) <= LARGEST))) {
    throw new ModelError('INVALID_SERIES', `seasonal_naive takes values up to ${LARGEST}.`);
  }
  const wanted = Math.max(1, Math.round(series.season));
  // Without one whole season and a bit there is nothing to repeat.
  const season = values.length > wanted ? wanted : 1;
  const last = newestBySeasonPlace(values, season);
  const spread = seasonalSpread(values, season) ?? seasonalSpread(values, 1) ?? 0;

  return (horizon, quantiles) => {
    checkQuantiles(quantiles);
    const normals = quantiles.map(normalQuantile);
    return Array.from({ length: horizon }, (_, step) => {
      const place = (values.length + step) % season;
      const seasonsAhead = Math.floor(step / season) + 1 + (last.missedSeasons[place] as number);
      const deviation = spread * Math.sqrt(seasonsAhead);
      return Float64Array.from(normals, (z) => (last.values[place] as number) + z * deviation);
    });
  };
}

/** For each place in the season its newest observation, and how many seasons older than the last one it is. */
function newestBySeasonPlace(values: Float64Array, season: number) {
  const newest = new Float64Array(season).fill(Number.NaN);
  const missedSeasons = new Float64Array(season);
  for (let t = 0; t < values.length; t++) {
    const value = values[t] as number;
    if (Number.isNaN(value)) continue;
    newest[t % season] = value;
    missedSeasons[t % season] = Math.floor((values.length - 1 - t) / season);
  }
  // A place that was never observed takes what was seen last before it.
  const fallback = values.findLast((value) => !Number.isNaN(value)) as number;
  for (let place = 0; place < season; place++) {
    if (Number.isNaN(newest[place])) newest[place] = newest[(place + season - 1) % season] ?? Number.NaN;
    if (Number.isNaN(newest[place])) newest[place] = fallback;
  }
  return { values: newest, missedSeasons };
}

/** Root mean square of the changes over one season, a gap's change counting for the seasons it spans; null if none. */
function seasonalSpread(values: Float64Array, season: number): number | null {
  const squares: number[] = [];
  let size = 0;
  for (const value of values) if (Math.abs(value) > size) size = Math.abs(value);
  if (size === 0) return 0;
  for (let t = season; t < values.length; t++) {
    if (Number.isNaN(values[t])) continue;
    let seasons = 1;
    while (t - seasons * season >= 0 && Number.isNaN(values[t - seasons * season])) seasons++;
    const before = values[t - seasons * season];
    // Divided by the largest value first, so that squares neither overflow nor vanish.
    if (before !== undefined) squares.push((((values[t] as number) - before) / size) ** 2 / seasons);
  }
  if (squares.length === 0) return null;
  return size * Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}
