import type { WindowSeries } from './read-sets.ts';

export const LEVELS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;
const MEDIAN = LEVELS.indexOf(0.5);

/** A series with its forecast: for each step, a value for each of the nine levels. */
export interface Forecasted {
  readonly series: WindowSeries;
  readonly rows: readonly Float64Array[];
}

/** The scores of one model on a set. NaN if nothing could be scored. */
export interface Scores {
  readonly mase: number;
  readonly wql: number;
  /** In percent. */
  readonly smape: number;
  /** The share of actual values in the 80% interval. */
  readonly coverage_80: number;
}

/** Scores each window by itself and returns the means, as fev-bench does. Other sources put all windows together. */
export function scoreByWindow(forecasts: readonly Forecasted[]): Scores {
  const windows = [...Map.groupBy(forecasts, ({ series }) => series.window).values()].map(scoreTogether);
  const mean = (measure: keyof Scores) => finiteMean(windows.map((scores) => scores[measure]));
  return { mase: mean('mase'), wql: mean('wql'), smape: mean('smape'), coverage_80: mean('coverage_80') };
}

/**
 * Scores all steps of all series together, as the published figures are defined. MASE and sMAPE are means over the steps
 * for which they are finite. WQL divides sums over all series, so series with large values count more.
 */
export function scoreTogether(forecasts: readonly Forecasted[]): Scores {
  const scaled: number[] = [];
  const relative: number[] = [];
  const held: number[] = [];
  const losses = new Float64Array(LEVELS.length);
  let size = 0;
  for (const { series, rows } of forecasts) {
    const scale = naiveError(series);
    rows.forEach((row, step) => {
      const actual = series.actuals[step] as number;
      if (Number.isNaN(actual)) return;
      const median = row[MEDIAN] as number;
      scaled.push(Math.abs(actual - median) / scale);
      relative.push((200 * Math.abs(actual - median)) / (Math.abs(actual) + Math.abs(median)));
      held.push(actual >= (row[0] as number) && actual <= (row[LEVELS.length - 1] as number) ? 1 : 0);
      size += Math.abs(actual);
      LEVELS.forEach((level, q) => {
        const over = actual - (row[q] as number);
        losses[q] = (losses[q] as number) + 2 * (over >= 0 ? level * over : (level - 1) * over);
      });
    });
  }
  return {
    mase: finiteMean(scaled),
    wql: finiteMean([...losses].map((loss) => loss / size)),
    smape: finiteMean(relative),
    coverage_80: finiteMean(held),
  };
}

/** Returns the mean change over one season in the whole history; NaN if no two values are a season apart. */
function naiveError({ history, season }: WindowSeries): number {
  const changes = Array.from(history.subarray(season), (value, t) => Math.abs(value - (history[t] as number)));
  return finiteMean(changes);
}

function finiteMean(values: readonly number[]): number {
  const finite = values.filter(Number.isFinite);
  return finite.reduce((sum, value) => sum + value, 0) / finite.length;
}
