import type { Series } from './series.ts';

/** Which quantiles a model can give. */
export type QuantileSupport =
  | { readonly type: 'requested' }
  | { readonly min: number; readonly max: number; readonly interpolation_inside_range: boolean };

/** Tells long work that nobody waits for it any more. `AbortSignal` fits. */
export interface AbortFlag {
  readonly aborted: boolean;
}

export interface FitContext {
  /** Everything random comes from this number, so that the same request gives the same digits. */
  readonly seed: number;
  readonly signal?: AbortFlag | undefined;
  /**
   * The same model, fitted to a shorter past of the same series. A model may take over what it found out there (its
   * settings, where to start a search) instead of finding it out again.
   */
  readonly earlier?: Forecaster | undefined;
}

/**
 * Quantiles of the periods after the series: one row per step, in each row one value per requested quantile, in the
 * order asked for. Rows are ascending where the quantiles are, and finite.
 */
export type Forecaster = (horizon: number, quantiles: readonly number[]) => Float64Array[];

/**
 * One way to forecast. `fit` throws a `ModelError` when it cannot; it never returns a forecaster that gives NaN.
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

/** A failure with a name: the ensemble leaves the model out and says why. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;

  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** To be called in every long loop. */
export function throwIfAborted(signal: AbortFlag | undefined): void {
  if (signal?.aborted) throw new ModelError('ABORTED', 'The fit was aborted.');
}
