import type { LeastSquares } from '../../numerics/least-squares.ts';

/** What a filter knows about the coming periods, given the free parameters. */
export interface FuturePath {
  /** Scaled residuals of the past, and the sum of their squares. */
  readonly residuals: Float64Array;
  readonly squares: number;
  /** The squares are this many times those in units of the series. */
  readonly scale: number;
  readonly mean: Float64Array;
  /** Variance for an innovation variance of 1. */
  readonly unitVariance: Float64Array;
  /** What the forecast gains when the estimated mean (or drift) gains 1, and how well that mean is known. */
  readonly meanResponse: Float64Array;
  /** 0 for a model without a mean. */
  readonly meanInformation: number;
}

/** A likelihood that can also look ahead. */
export interface PathFilter extends LeastSquares {
  path(free: Float64Array, horizon: number): FuturePath;
}
