import { normalQuantile } from '../../src/engine/index.ts';
import type { Definition } from './keys.ts';
import type { WindowSeries } from './read-sets.ts';
import { LEVELS } from './scores.ts';

/** The statistical models of fev-bench see at most so many values. */
const FEV_CONTEXT = 1000;

/**
 * Returns the forecast of seasonal naive as its source computes it, which is not the engine's `seasonal_naive`: the
 * season is the lag of the MASE, missing values repeat the value before them, and the quantiles depend on the source.
 * In Chronos's evaluation all quantiles are the point. In the others they are those of statsforecast: a normal
 * distribution whose variance grows by that of past changes with each season.
 */
export function publishedSeasonalNaive(series: WindowSeries, definition: Definition): Float64Array[] {
  const filled = fillGaps(series.history);
  const history = definition === 'fev' ? filled.slice(-FEV_CONTEXT) : filled;
  const { season } = series;
  const normals = LEVELS.map(definition === 'chronos' ? () => 0 : normalQuantile);
  const spread = definition === 'chronos' ? 0 : seasonalSpread(history, season);
  return Array.from({ length: series.horizon }, (_, step) => {
    const last = history.length >= season ? history[history.length - season + (step % season)] : mean(history);
    const point = last as number;
    const deviation = spread * Math.sqrt(Math.floor(step / season) + 1);
    return Float64Array.from(normals, (z) => point + z * deviation);
  });
}

/** Repeats the last value in gaps, and the first value before it. */
function fillGaps(history: Float64Array): Float64Array {
  let last = history.find((value) => !Number.isNaN(value)) ?? 0;
  return history.map((value) => {
    if (!Number.isNaN(value)) last = value;
    return last;
  });
}

function seasonalSpread(history: Float64Array, season: number): number {
  const squares = history.slice(season).map((value, t) => (value - (history[t] as number)) ** 2);
  return squares.length === 0 ? 0 : Math.sqrt(mean(squares));
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
