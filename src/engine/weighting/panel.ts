import { pinballLoss } from '../metrics.ts';

/** The forecasts of several member models for one past row, and its actual value. */
interface PanelRow {
  readonly actual: number;
  /** By member model, then by level. */
  readonly values: readonly ArrayLike<number>[];
}

/**
 * The data from which weights are chosen: forecasts from past origins with the actual values, all in the pooling space.
 */
export interface Panel {
  /** The quantile levels, ascending. */
  readonly levels: readonly number[];
  /** By level, then by member model: whether the model supports this quantile. */
  readonly supports: readonly (readonly boolean[])[];
  /** The folds, the earliest first. */
  readonly folds: readonly PanelFold[];
  /** The weights before any fold was scored. */
  readonly prior: Weights;
}

/** The scored rows of a fold. */
export interface PanelFold {
  readonly rows: readonly PanelRow[];
  /** The share of all rows that the fold was fitted on, from 0 to 1. */
  readonly training: number;
}

/** The share of each member model in each quantile: by level, then by member model. The shares of a level sum to 1. */
export type Weights = readonly Float64Array[];

/** Returns the same share for every member model that supports the quantile. */
export function equalWeights(supports: Panel['supports']): Weights {
  return supports.map((row) => normalizeWeights(Float64Array.from(row, (isSupported) => (isSupported ? 1 : 0))));
}

/**
 * Returns shares in proportion to the preferences of the member models. A member model has the same preference for
 * every quantile that it supports.
 */
export function weightsFromPreferences(supports: Panel['supports'], preference: ArrayLike<number>): Weights {
  return supports.map((row) =>
    normalizeWeights(Float64Array.from(row, (isSupported, i) => (isSupported ? (preference[i] as number) : 0))),
  );
}

/** Interpolates between two sets of weights: a `share` of 0 gives `from`, 1 gives `to`. */
export function interpolateWeights(from: Weights, to: Weights, share: number): Weights {
  return from.map((row, q) =>
    row.map((weight, i) => (1 - share) * weight + share * ((to[q] as Float64Array)[i] as number)),
  );
}

/** Returns the weighted average of the forecasts of one quantile level. */
export function pooledValue(row: PanelRow, weights: Float64Array, level: number): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i] as number;
    if (weight !== 0) sum += weight * ((row.values[i] as ArrayLike<number>)[level] as number);
  }
  return sum;
}

/** Returns the mean pinball loss of the pooled forecasts over all rows and quantiles; 0 if there are no rows. */
export function panelLoss(panel: Panel, weights: Weights): number {
  let sum = 0;
  let count = 0;
  for (const { rows } of panel.folds) {
    for (const row of rows) {
      panel.levels.forEach((level, q) => {
        sum += pinballLoss(level, row.actual, pooledValue(row, weights[q] as Float64Array, q));
        count++;
      });
    }
  }
  return count > 0 ? sum / count : 0;
}

/**
 * Returns the mean pinball loss of each member model alone, over the quantiles that it supports.
 *
 * @param foldWeight the weight of each row of a fold. Default: all rows count the same
 */
export function memberLosses(panel: Panel, foldWeight: (fold: PanelFold) => number = () => 1): Float64Array {
  const members = panel.supports[0]?.length ?? 0;
  return Float64Array.from({ length: members }, (_, i) => {
    let sum = 0;
    let count = 0;
    for (const fold of panel.folds) {
      const weight = foldWeight(fold);
      for (const row of fold.rows) {
        panel.levels.forEach((level, q) => {
          if (!panel.supports[q]?.[i]) return;
          sum += weight * pinballLoss(level, row.actual, (row.values[i] as ArrayLike<number>)[q] as number);
          count += weight;
        });
      }
    }
    return count > 0 ? sum / count : 0;
  });
}

/** Scales weights to a sum of 1; leaves them as they are if all are 0. */
export function normalizeWeights(row: Float64Array): Float64Array {
  const total = row.reduce((sum, weight) => sum + weight, 0);
  return total > 0 ? row.map((weight) => weight / total) : row;
}
