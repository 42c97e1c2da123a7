import type { Cadence } from '../calendar/index.ts';

/**
 * The input of a model: consecutive periods, oldest first. The value of a period without an observation is NaN; gaps
 * are not filled. The first and the last value are observed.
 */
export interface Series {
  readonly values: Float64Array;
  /**
   * Timestamp of each period in milliseconds since 1970, UTC; as long as `values`. Prophet needs real dates. The other
   * models use only the order.
   */
  readonly times: Float64Array;
  /** Determines which timestamps the series can have, including those of future periods. */
  readonly cadence: Cadence;
  /** Number of periods in a season, such as 12 for monthly data with a yearly season; 1 if there is no season. */
  readonly season: number;
}

/** The quantiles that a model supports: every quantile that can be requested, or those in a range. */
export type QuantileSupport =
  | { readonly type: 'requested' }
  | { readonly min: number; readonly max: number; readonly interpolation_inside_range: boolean };

/** A flag, such as an `AbortSignal`, that stops a long computation whose result is no longer needed. */
export interface AbortFlag {
  readonly aborted: boolean;
}

/** Options of one fit. */
export interface FitContext {
  /** The seed for all random numbers, so that the same request gives the same digits. */
  readonly seed: number;
  /** Stops the fit. Models check it in every long loop. */
  readonly signal?: AbortFlag | undefined;
  /**
   * A forecaster of the same model that was fitted to fewer periods of the same series. A model may reuse its settings,
   * or start a search from them, instead of determining them again.
   */
  readonly earlierFit?: Forecaster | undefined;
}

/**
 * Returns a row for each period after the series, with one finite value per requested quantile, in the requested order.
 * If the quantiles are ascending, so are the values.
 */
export type Forecaster = (horizon: number, quantiles: readonly number[]) => Float64Array[];

/**
 * A forecasting method. `fit` throws a `ModelError` if it cannot forecast the series. A forecaster does not return NaN.
 */
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

/**
 * The reason why a model has no forecast. The ensemble leaves the model out; code and message become part of the
 * result.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;

  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws a `ModelError` with the code `ABORTED` if the flag is set. Every long loop calls it. */
export function throwIfAborted(signal: AbortFlag | undefined): void {
  if (signal?.aborted) throw new ModelError('ABORTED', 'The fit was aborted.');
}

/**
 * Refuses numbers that are not quantiles or are outside the range that the model supports. Every forecaster calls it.
 */
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

/** Returns a forecaster for a constant series: every quantile of every period is its value. */
export function constantForecaster(value: number): Forecaster {
  return (horizon, quantiles) => {
    checkQuantiles(quantiles);
    return Array.from({ length: horizon }, () => new Float64Array(quantiles.length).fill(value));
  };
}
