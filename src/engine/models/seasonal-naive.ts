import { checkQuantiles, type Forecaster, type Model, ModelError, type Series, throwIfAborted } from '../model.ts';
import { normalQuantile } from '../numerics/distributions.ts';

const MAX_SIZE = 1e150;

/**
 * Repeats the last season: the forecast of each step is the newest observation at its position in the season. As for a
 * seasonal random walk, the spread is that of past changes from season to season and grows with the square root of the
 * number of seasons ahead.
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
  if (observed.some((value) => !(Math.abs(value) <= MAX_SIZE))) {
    throw new ModelError('INVALID_SERIES', `seasonal_naive takes values up to ${MAX_SIZE}.`);
  }
  const seriesSeason = Math.max(1, Math.round(series.season));
  // A series of at most one season has no season to repeat.
  const season = values.length > seriesSeason ? seriesSeason : 1;
  const last = newestBySeasonPosition(values, season);
  const spread = seasonalSpread(values, season) ?? seasonalSpread(values, 1) ?? 0;

  return (horizon, quantiles) => {
    checkQuantiles(quantiles);
    const normals = quantiles.map(normalQuantile);
    return Array.from({ length: horizon }, (_, step) => {
      const position = (values.length + step) % season;
      const seasonsAhead = Math.floor(step / season) + 1 + (last.missedSeasons[position] as number);
      const deviation = spread * Math.sqrt(seasonsAhead);
      return Float64Array.from(normals, (z) => (last.values[position] as number) + z * deviation);
    });
  };
}

/**
 * Returns for each position in the season its newest observation, and how many seasons before the last season it was
 * made.
 */
function newestBySeasonPosition(values: Float64Array, season: number) {
  const newest = new Float64Array(season).fill(Number.NaN);
  const missedSeasons = new Float64Array(season);
  for (let t = 0; t < values.length; t++) {
    const value = values[t] as number;
    if (Number.isNaN(value)) continue;
    newest[t % season] = value;
    missedSeasons[t % season] = Math.floor((values.length - 1 - t) / season);
  }
  // A position that was never observed gets the value of the position before it.
  const fallback = values.findLast((value) => !Number.isNaN(value)) as number;
  for (let position = 0; position < season; position++) {
    if (Number.isNaN(newest[position])) newest[position] = newest[(position + season - 1) % season] ?? Number.NaN;
    if (Number.isNaN(newest[position])) newest[position] = fallback;
  }
  return { values: newest, missedSeasons };
}

/**
 * Returns the root mean square of the changes over one season; null if there are none. The change across a gap is
 * spread over the seasons that it spans.
 */
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
