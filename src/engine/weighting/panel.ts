import { pinballLoss } from '../validation/metrics.ts';

/** What several members forecast for one row whose outcome is known. */
export interface PanelRow {
  readonly actual: number;
  /** By member, then by level. */
  readonly values: readonly ArrayLike<number>[];
}

/** What weights are chosen on: forecasts from past origins, and what happened; all in the pooling space. */
export interface Panel {
  /** The quantiles, ascending. */
  readonly levels: readonly number[];
  /** By level, then by member: whether the member gives this quantile at all. */
  readonly supports: readonly (readonly boolean[])[];
  /** Rows by fold, the earliest first. */
  readonly folds: readonly (readonly PanelRow[])[];
  /** By member: whether it was trained on other series before. */
  readonly isPretrained: readonly boolean[];
}

/** The share of each member in each quantile: by level, then by member. Shares of a level sum to 1. */
export type Weights = readonly Float64Array[];

/** The same share for every member that gives the quantile. */
export function equalWeights(supports: Panel['supports']): Weights {
  return supports.map((row) => normalised(Float64Array.from(row, (isGiven) => (isGiven ? 1 : 0))));
}

/** One preference per member, the same for every quantile it gives. */
export function weightsOfMembers(supports: Panel['supports'], preference: ArrayLike<number>): Weights {
  return supports.map((row) =>
    normalised(Float64Array.from(row, (isGiven, i) => (isGiven ? (preference[i] as number) : 0))),
  );
}

/** Part of the way from one set of weights to another. */
export function between(from: Weights, to: Weights, share: number): Weights {
  return from.map((row, q) =>
    row.map((weight, i) => (1 - share) * weight + share * ((to[q] as Float64Array)[i] as number)),
  );
}

export function pooledValue(row: PanelRow, weights: Float64Array, level: number): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i] as number;
    if (weight !== 0) sum += weight * ((row.values[i] as ArrayLike<number>)[level] as number);
  }
  return sum;
}

/** The mean pinball loss of the pooled forecasts over all rows and quantiles; 0 without rows. */
export function panelLoss(panel: Panel, weights: Weights): number {
  let sum = 0;
  let count = 0;
  for (const fold of panel.folds) {
    for (const row of fold) {
      panel.levels.forEach((level, q) => {
        sum += pinballLoss(level, row.actual, pooledValue(row, weights[q] as Float64Array, q));
        count++;
      });
    }
  }
  return count > 0 ? sum / count : 0;
}

/** The mean pinball loss of each member alone, over the quantiles it gives. */
export function memberLosses(panel: Panel): Float64Array {
  const members = panel.supports[0]?.length ?? 0;
  return Float64Array.from({ length: members }, (_, i) => {
    let sum = 0;
    let count = 0;
    for (const row of panel.folds.flat()) {
      panel.levels.forEach((level, q) => {
        if (!panel.supports[q]?.[i]) return;
        sum += pinballLoss(level, row.actual, (row.values[i] as ArrayLike<number>)[q] as number);
        count++;
      });
    }
    return count > 0 ? sum / count : 0;
  });
}

function normalised(row: Float64Array): Float64Array {
  const total = row.reduce((sum, weight) => sum + weight, 0);
  return total > 0 ? row.map((weight) => weight / total) : row;
}
