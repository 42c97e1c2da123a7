import type { Cadence } from '../../calendar/index.ts';
import type { WeightingPolicy } from '../weighting/select-weights.ts';
import type { Transform } from './pool.ts';

/**
 * `full`: the folds choose the weights of the default ensemble or of the requested models. `fast`: a few models are
 * fitted without folds and combined with weights that are known beforehand.
 */
export const MODES = ['full', 'fast'] as const;
export type Mode = (typeof MODES)[number];

/** A series to forecast, and how to forecast it. Every optional field has a default. */
export interface ForecastRequest {
  readonly cadence: Cadence;
  /** Timestamps of the observed rows, ascending, in milliseconds since 1970 (UTC). */
  readonly timestamps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** The number of periods to forecast after the last row: 1 to 365, or 1 to 150 for a yearly series. */
  readonly horizon: number;
  /** At most 21 levels from 0.001 to 0.999, in any order. Default: 0.1, 0.25, 0.5, 0.75, 0.9. */
  readonly quantiles?: readonly number[] | undefined;
  /** Default: full. */
  readonly mode?: Mode | undefined;
  /**
   * Default: the models in manual `weights`, otherwise those that can run of the fast mode or, in full mode, those that
   * lower the errors on series of this frequency.
   */
  readonly models?: readonly string[] | undefined;
  /**
   * Members of the default ensemble that are reported as not fitted. Has a meaning only together with `models`: both are
   * stored when the models of a forecast are chosen, so that a later run does not choose again.
   */
  readonly notFitted?: readonly string[] | undefined;
  /** Default: auto. */
  readonly weightMode?: 'auto' | 'manual' | undefined;
  /** Manual weights by model; a model that is not named gets 0. Default: the default weight of each model. */
  readonly weights?: Readonly<Record<string, number>> | undefined;
  /** Default: rolling_loss_selection_v2. */
  readonly weightingPolicy?: WeightingPolicy | undefined;
  /** Default: auto. */
  readonly transform?: Transform | undefined;
  /** The seed for all random numbers. Default: 1. */
  readonly seed?: number | undefined;
}

/** A request with every field checked and every default filled in. */
export interface CheckedRequest {
  readonly cadence: Cadence;
  readonly horizon: number;
  /** Ascending. */
  readonly quantiles: readonly number[];
  readonly mode: Mode;
  readonly models: readonly string[];
  /** The members of the default ensemble that are not fitted, because they do not help on such series. */
  readonly notFitted: readonly string[];
  readonly weightMode: 'auto' | 'manual';
  /** The weight of each model unless the folds choose other weights. Not all are 0. */
  readonly baseWeights: ReadonlyMap<string, number>;
  readonly weightingPolicy: WeightingPolicy;
  readonly transform: Transform;
  readonly seed: number;
}

export const DEFAULT_QUANTILES: readonly number[] = [0.1, 0.25, 0.5, 0.75, 0.9];
export const MAX_QUANTILES = 21;
export const MIN_QUANTILE = 0.001;
export const MAX_QUANTILE = 0.999;
export const MAX_HORIZON = 365;
export const MAX_ROWS = 50_000;
/** Dates end with the year 2200. With this horizon, a yearly series can end as late as 2050. */
const MAX_YEARS = 150;

/** Returns the largest horizon for a frequency, in periods. */
export function maxHorizon(frequency: Cadence['frequency']): number {
  return frequency === '1YE' ? MAX_YEARS : MAX_HORIZON;
}

export type ForecastErrorCode =
  | 'INVALID_REQUEST'
  | 'UNSUPPORTED_QUANTILE'
  | 'INSUFFICIENT_HISTORY'
  | 'CHECKPOINT_UNAVAILABLE'
  | 'ALL_MODELS_FAILED';

/** The reason why a forecast failed. The message is meant for the caller; `cause` may hold details for the log. */
export class ForecastError extends Error {
  override readonly name = 'ForecastError';
  readonly code: ForecastErrorCode;
  /** The field of the request that is wrong; null if the request is not the cause. */
  readonly field: string | null;

  constructor(code: ForecastErrorCode, message: string, field: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.field = field;
  }
}
