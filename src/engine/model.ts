import type { Cadence } from '../calendar/index.ts';

/**
 * A series as models read it: equally spaced periods, oldest first. A period without an observation is NaN; no gap is
 * filled in. The first and the last value are observed.
 */
export interface Series {
  readonly values: Float64Array;
  /**
   * Timestamp of each period in milliseconds since 1970, UTC; as long as `values`. Prophet needs real dates; the other
   * models use the order only.
   */
  readonly times: Float64Array;
  /** Determines which timestamps the series can have, and so which come next. */
  readonly cadence: Cadence;
  /** Periods in a season, such as 12 for monthly data with a yearly season; 1: none. */
  readonly season: number;
}

/** The quantiles that a model supports: any that a request names, or a range. */
export type QuantileSupport =
  | { readonly type: 'requested' }
  | { readonly min: number; readonly max: number; readonly interpolation_inside_range: boolean };

/** Tells a long computation to stop because its result is no longer needed. An `AbortSignal` is one. */
export interface AbortFlag {
  readonly aborted: boolean;
}

/** Options of one fit. */
export interface FitContext {
  /** Seeds everything random, so that the same request gives the same digits. */
  readonly seed: number;
  /** Stops the fit; a model checks it in every long loop. */
  readonly signal?: AbortFlag | undefined;
  /**
   * The forecaster of the same model on a shorter past of the same series. A model may reuse what that fit determined
   * (settings, the start of a search) instead of determining it again.
   */
  readonly earlierFit?: Forecaster | undefined;
}

/**
 * Returns the quantiles of the periods after the series: one row per period, in each row one value per requested
 * quantile, in the requested order. Values are finite, and ascending where the quantiles are.
 */
export type Forecaster = (horizon: number, quantiles: readonly number[]) => Float64Array[];

/** A forecasting method. `fit` throws a `ModelError` where it cannot forecast; a forecaster never returns NaN. */
export interface Model {
  readonly id: string;
  readonly quantileSupport: QuantileSupport;
  fit(series: Series, context: FitContext): Forecaster;
}

export type ModelErrorCode =
  | 'ABORTED'
  | 'INSUFFICIENT_HISTORY'
  | 'INVALID_SERIES'
  | 'UNSUPPORTED_HORIZON'
  | 'UNSUPPORTED_QUANTILE'
  | 'NOT_CONVERGED'
  | 'CRASHED';

/** Why a model has no forecast. The ensemble leaves the model out; code and message become part of the result. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;

  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws a `ModelError` `ABORTED` once the flag is set. Every long loop calls it. */
export function throwIfAborted(signal: AbortFlag | undefined): void {
  if (signal?.aborted) throw new ModelError('ABORTED', 'The fit was aborted.');
}

/** Refuses numbers that are not quantiles, or lie outside the range that a model supports. Every forecaster calls it. */
export function checkQuantiles(quantiles: readonly number[], support: QuantileSupport = { type: 'requested' }): void {
  for (const quantile of quantiles) {
    if (!(quantile > 0 && quantile < 1)) {
      throw new ModelError('UNSUPPORTED_QUANTILE', `A quantile lies between 0 and 1, got ${quantile}.`);
    }
    if ('min' in support && (quantile < support.min || quantile > support.max)) {
      throw new ModelError(
        'UNSUPPORTED_QUANTILE',
        `The model gives quantiles from ${support.min} to ${support.max}, got ${quantile}.`,
      );
    }
  }
}

/** Returns a forecaster for a series that never changed: every quantile of every period is its value. */
export function constantForecaster(value: number): Forecaster {
  return (horizon, quantiles) => {
    checkQuantiles(quantiles);
    return Array.from({ length: horizon }, () => new Float64Array(quantiles.length).fill(value));
  };
}
