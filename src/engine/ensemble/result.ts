import type { FitFailure } from '../runner.ts';
import type { Metrics } from '../validation/metrics.ts';
import type { WeightingPolicy } from '../weighting/select-weights.ts';
import type { SpreadCalibration } from '../weighting/spread-calibration.ts';
import type { LeftOutReason } from './decide-weights.ts';
import type { WeightsByQuantile } from './quantile-keys.ts';
import type { HistoricalValidation } from './validate.ts';

/** A forecast as the service writes it: every field has the name and the meaning it has on the wire. */
export interface ForecastResult {
  readonly predictions: readonly Prediction[];
  readonly weight_mode: 'auto' | 'manual';
  /** How the weights were chosen; absent where they were given. */
  readonly weighting?: Weighting;
  readonly historical_validation: HistoricalValidation;
  readonly effective_weights_by_quantile: WeightsByQuantile;
  readonly members: readonly MemberResult[];
  /** Periods in a season; 1: none was found. */
  readonly season: number;
}

export interface Prediction {
  readonly timestamp: string;
  readonly quantiles: Readonly<Record<string, number>>;
}

export interface Weighting {
  readonly mode: 'auto';
  readonly policy: WeightingPolicy;
  readonly status: 'optimized' | 'fallback' | 'single_model';
  readonly reason: string | null;
  readonly pooling_space: 'target' | 'transformed';
  readonly calibration_rows: number;
  readonly calibration_horizon: number;
  /** The first step that no fold has judged, whose weights and spread are those of the step before; null: none. */
  readonly extrapolated_from_step: number | null;
  readonly weights_by_quantile: WeightsByQuantile;
  readonly effective_weights_by_quantile: WeightsByQuantile;
  readonly folds: readonly FoldResult[];
  readonly selected_method: string;
  readonly inner_scores: Readonly<Record<string, number>>;
  readonly calibration: SpreadCalibration;
  readonly audit_metrics: Metrics | null;
  readonly baseline_audit_metrics: Metrics | null;
}

export interface FoldResult {
  readonly training_rows: number;
  readonly training_end_at: string;
  readonly start_at: string;
  readonly end_at: string;
  /** Rows that could be scored. */
  readonly rows: number;
  /** Mean pinball loss of each member in the pooling space; null where it had no forecast. */
  readonly losses: Readonly<Record<string, number | null>>;
}

/** One model's own forecast, or why it takes no part. */
export interface MemberResult {
  readonly model: string;
  readonly status: 'completed' | 'failed' | 'left_out';
  readonly reason: LeftOutReason | null;
  readonly error: FitFailure | null;
  readonly predictions: readonly Prediction[];
}
