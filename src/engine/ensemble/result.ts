import { type Metrics, NO_METRICS } from '../metrics.ts';
import type { FitFailure } from '../runner.ts';
import type { Weights } from '../weighting/panel.ts';
import type { WeightingPolicy } from '../weighting/select-weights.ts';
import type { SpreadCalibration } from '../weighting/spread-calibration.ts';
import type { MemberModel } from './members.ts';

/** The result of a forecast. Its fields have the same names and meanings as in the API. */
export interface ForecastResult {
  readonly predictions: readonly Prediction[];
  readonly weight_mode: 'auto' | 'manual';
  /** How the weights were chosen; absent with manual weights. */
  readonly weighting?: Weighting;
  readonly historical_validation: HistoricalValidation;
  readonly effective_weights_by_quantile: WeightsByQuantile;
  readonly members: readonly MemberResult[];
  /** Number of periods in a season; 1 if no season was detected. */
  readonly season: number;
}

/** The predicted quantiles of one period, by level. */
export interface Prediction {
  readonly timestamp: string;
  readonly quantiles: Readonly<Record<string, number>>;
}

/** How the weights of auto mode were chosen. */
export interface Weighting {
  readonly mode: 'auto';
  readonly policy: WeightingPolicy;
  readonly status: 'optimized' | 'fallback' | 'single_model';
  readonly reason: string | null;
  readonly pooling_space: 'target' | 'transformed';
  readonly calibration_rows: number;
  readonly calibration_horizon: number;
  /**
   * The first step that no fold scored. From this step on, the weights and the calibration were not tested. Null if
   * every step was scored.
   */
  readonly extrapolated_from_step: number | null;
  readonly weights_by_quantile: WeightsByQuantile;
  readonly effective_weights_by_quantile: WeightsByQuantile;
  /**
   * The weights of the pool before any fold was scored. Absent from results that were stored before this field existed.
   */
  readonly prior_weights?: WeightsByQuantile;
  /**
   * The weights of the distances from the median; the others are then those of the medians. Absent if the values of each
   * quantile are averaged, as in all results that were stored before this field existed.
   */
  readonly spread_weights?: WeightsByQuantile;
  readonly folds: readonly FoldResult[];
  readonly selected_method: string;
  readonly inner_scores: Readonly<Record<string, number>>;
  readonly calibration: SpreadCalibration;
  /**
   * Null only in older results whose audit scored no rows; newer ones have metrics. The proofs of these older results
   * keep the null.
   */
  readonly audit_metrics: Metrics | null;
  readonly baseline_audit_metrics: Metrics | null;
}

/** Returns the weighting of a stored result, with `NO_METRICS` in place of null. */
export function fillAuditMetrics(weighting: Weighting) {
  return {
    ...weighting,
    audit_metrics: weighting.audit_metrics ?? NO_METRICS,
    baseline_audit_metrics: weighting.baseline_audit_metrics ?? NO_METRICS,
  };
}

/** One fold, with the losses of the member models. */
export interface FoldResult {
  readonly training_rows: number;
  readonly training_end_at: string;
  readonly start_at: string;
  readonly end_at: string;
  /** Number of rows that could be scored. */
  readonly rows: number;
  /** Mean pinball loss of each member model in the pooling space; null if the model had no forecast. */
  readonly losses: Readonly<Record<string, number | null>>;
}

/** The scores of the weights on rows that were not used to choose them. */
export interface HistoricalValidation {
  readonly policy: 'chronological_holdout_v1';
  readonly method: 'chronological_holdout';
  readonly status: 'completed' | 'insufficient_history' | 'no_matching_outcomes' | 'failed';
  readonly training_rows?: number;
  readonly holdout_rows?: number;
  readonly training_end_at?: string;
  readonly validation_start_at?: string;
  readonly validation_end_at?: string;
  /** The models that were fitted. */
  readonly requested_models: readonly string[];
  readonly effective_weights_by_quantile: WeightsByQuantile;
  readonly metrics: Metrics | null;
}

/** Why a member model is not part of the pool. */
export type LeftOutReason = 'failed' | 'failed_in_calibration' | 'exploded_in_calibration' | 'not_fitted_here';

/** The forecast of one member model, or why it is not part of the pool. */
export interface MemberResult {
  readonly model: string;
  readonly status: 'completed' | 'failed' | 'left_out';
  readonly reason: LeftOutReason | null;
  readonly error: FitFailure | null;
  readonly predictions: readonly Prediction[];
}

/** Weights by quantile key, then by model. */
export type WeightsByQuantile = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Returns a quantile level as an object key: its shortest decimal, without an exponent or trailing zeros.
 *
 * @example quantileKey(0.1) // '0.1'
 */
export function quantileKey(quantile: number): string {
  // Only numbers below 0.000001 get an exponent, and quantiles are 0.001 or more.
  return String(quantile);
}

/** Returns, for each requested quantile, the weights of all member models that support it, including zero weights. */
export function toWeightsByQuantile(
  weights: Weights,
  members: readonly MemberModel[],
  levels: readonly number[],
  quantiles: readonly number[],
): WeightsByQuantile {
  return Object.fromEntries(
    quantiles.map((quantile) => {
      const q = levels.indexOf(quantile);
      const shares = members.flatMap(({ id, supports }, i): [string, number][] =>
        supports[q] ? [[id, (weights[q] as Float64Array)[i] as number]] : [],
      );
      return [quantileKey(quantile), Object.fromEntries(shares)];
    }),
  );
}
